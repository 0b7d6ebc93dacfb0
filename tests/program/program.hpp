#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

/// Runs the program as a user does, and reads its exit status, error lines and files.

inline constexpr int failed = 1, wrong_usage = 2;

struct Result {
    int status = -1;  ///< exit status. Negative: minus the signal that ended it
    std::string output, errors;
};

/// Each test has a temporary folder of its own.
class Program : public testing::Test {
protected:
    using Json = nlohmann::json;

    Program() {
        std::string pattern = (std::filesystem::temp_directory_path() / "lanecull-test-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
        folder_ = pattern;
    }
    ~Program() override {
        std::error_code none;
        std::filesystem::remove_all(folder_, none);
    }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

    std::string write(const std::string& name, const std::string& contents) const {
        std::ofstream(path(name), std::ios::binary) << contents;
        return path(name);
    }

    static std::string read(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    /// Runs the program in the folder. environment: NAME=value; input: the file to read as standard input; output: the
    /// device to write to, whose text the result then lacks.
    Result run(std::vector<std::string> arguments, const std::string& environment = {},
               const std::string& input = "/dev/null", const std::string& output = {}) const {
        const pid_t child = fork();
        if (child == 0) start(std::move(arguments), environment, input, output);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) throw std::runtime_error("cannot run the program");
        Result result{WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read(path(output_name)),
                      read(path(errors_name))};
        std::filesystem::remove(path(output_name));
        std::filesystem::remove(path(errors_name));
        return result;
    }

    /// The words of a command line, which blanks separate.
    static std::vector<std::string> words(const std::string& line) {
        std::istringstream stream(line);
        return {std::istream_iterator<std::string>(stream), {}};
    }
    static std::vector<std::string> arguments_of(const Json& line) {
        return line.is_string() ? words(line.get<std::string>()) : line.get<std::vector<std::string>>();
    }

    /// A file of tests/data.
    static Json document(const std::string& name) { return Json::parse(read(LANECULL_TEST_DATA "/" + name)); }

    /// Those of a case: texts, or JSON.
    void write_files(const Json& of) const {
        const Json files = of.value("files", Json::object());
        for (const auto& [file, contents] : files.items()) {
            write(file, contents.is_string() ? contents.get<std::string>() : contents.dump());
        }
    }

    /// What the program prints on a command line: "cull boxes.csv". It must succeed.
    [[nodiscard]] std::string output_of(const std::string& line) const {
        const Result result = run(words(line));
        EXPECT_EQ(result.status, 0) << line << "\n" << result.errors;
        return result.output;
    }

    /// A case of tests/data/refusals.json: command lines, what each is refused with (status and words), and the files
    /// that they read. `texts` and `changes`: what one line says of a file with each text, and of a document in which a
    /// member is changed, or left out (null).
    void expect_refusals(const char* name) const {
        const Json of = document("refusals.json").at(name);
        const auto rows = [&](const char* key) { return of.value(key, Json::array()); };
        const auto expect = [&](const Json& line, int status, const Json& named) {
            for (const Json& part : named.is_array() ? named : Json::array({named})) {
                expect_error(arguments_of(line), status, part);
            }
        };
        write_files(of);
        for (const Json& row : rows("failed")) expect(row[0], failed, row[1]);
        for (const Json& row : rows("wrong_usage")) expect(row[0], wrong_usage, row[1]);
        const auto expect_of_file = [&](const Json& contents, const Json& named) {
            write_files({{"files", {{of.at("file"), contents}}}});
            expect(of.at("line"), failed, named);
        };
        for (const Json& row : rows("texts")) expect_of_file(row[0], row[1]);
        for (const Json& row : rows("changes")) {
            Json changed = of.at("document");
            if (changed.is_string()) changed = document(changed.get<std::string>());
            const Json::json_pointer at(row[0].get<std::string>());
            if (row[1].is_null()) {
                changed.at(at.parent_pointer()).erase(at.back());
            } else {
                changed[at] = row[1];
            }
            expect_of_file(changed, row[2]);
        }
    }

    /// A case of tests/data/answers.json: command lines, and what each prints and writes (`written`). `numbers`: behind
    /// a label of the output. `report`, `json`: members of what it reports and of files, null for none. A number may
    /// have bounds.
    void expect_answers(const char* name) const {
        const Json of = document("answers.json").at(name);
        write_files(of);
        for (const Json& ask : of.at("asks")) {
            SCOPED_TRACE(ask.at("line").dump());
            write_files(ask);
            std::vector<std::string> arguments = arguments_of(ask.at("line"));
            if (ask.contains("report")) arguments.insert(arguments.end(), {"--json", "report.json"});
            const std::string input = ask.value("input", "");
            expect_answer(ask, run(arguments, {}, input.empty() ? "/dev/null" : path(input)));
        }
    }

    /// Expects the program to fail with one line that names `named`, and to create, change or remove no file in the
    /// folder.
    void expect_error(const std::vector<std::string>& arguments, int status, const std::string& named,
                      const std::string& environment = {}) const {
        std::string command;
        for (const std::string& argument : arguments) command += argument + " ";
        SCOPED_TRACE(command);
        const auto before = files();
        const Result result = run(arguments, environment);
        EXPECT_EQ(result.status, status);
        EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
        EXPECT_TRUE(result.errors.starts_with("lanecull: ")) << result.errors;
        EXPECT_NE(result.errors.find(named), std::string::npos)
            << "\"" << result.errors << "\" does not name " << named;
        EXPECT_EQ(files(), before) << "files appeared, changed or vanished";
    }

    /// Names and contents.
    [[nodiscard]] std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            all[entry.path().filename().string()] = entry.is_regular_file() ? read(entry.path().string()) : "";
        }
        return all;
    }

    const std::vector<std::string> small_city_ = {"cull", "--objects", "20000", "--frames", "5", "--quiet"};

    [[nodiscard]] std::vector<std::string> small_city(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = small_city_;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    [[nodiscard]] Json report_of(const std::string& line) const { return report(words(line)); }

    [[nodiscard]] Json report(std::vector<std::string> arguments) const {
        const std::string file = path("report.json");
        arguments.insert(arguments.end(), {"--json", file});
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.errors;
        return Json::parse(read(file));
    }

private:
    void expect_answer(const Json& ask, const Result& result) const {
        EXPECT_EQ(result.status, 0) << result.errors;
        const auto list = [&](const char* key) { return ask.value(key, Json::array()); };
        const auto has = [](const std::string& text, const std::string& part) {
            return text.find(part) != std::string::npos;
        };
        for (const Json& part : list("says")) EXPECT_TRUE(has(result.output, part)) << part << result.output;
        for (const Json& part : list("lacks")) EXPECT_FALSE(has(result.output, part)) << part << result.output;
        EXPECT_TRUE(result.output.starts_with(ask.value("begins", ""))) << result.output;
        for (const Json& part : list("warns")) EXPECT_TRUE(has(result.errors, part)) << part << result.errors;
        std::size_t warnings = 0;  // the other lines tell how far it is
        std::istringstream lines(result.errors);
        for (std::string line; std::getline(lines, line);) warnings += !line.empty() && !has(line, " a second");
        EXPECT_EQ(warnings, list("warns").size()) << result.errors;
        const Json numbers = ask.value("numbers", Json::object()), texts = ask.value("written", Json::object());
        for (const auto& [label, bounds] : numbers.items()) {
            ASSERT_TRUE(has(result.output, label)) << label << " in\n" << result.output;
            const char* const behind = result.output.c_str() + result.output.find(label) + label.size();
            expect_member(label, std::strtod(behind, nullptr), bounds);
        }
        for (const auto& [file, text] : texts.items()) EXPECT_EQ(read(path(file)), text);
        Json files = ask.value("json", Json::object());
        if (ask.contains("report")) files["report.json"] = ask.at("report");
        for (const auto& [file, members] : files.items()) {
            const Json found = Json::parse(read(path(file)));
            for (const auto& [pointer, value] : members.items()) {
                expect_member(pointer, found.value(Json::json_pointer(pointer), Json()), value);
            }
        }
    }

    static void expect_member(const std::string& name, const Json& found, const Json& expected) {
        if (!expected.is_object()) {
            EXPECT_EQ(found, expected) << name;
            return;
        }
        ASSERT_TRUE(found.is_number()) << name << found;
        EXPECT_GE(found.get<double>(), expected.value("least", -HUGE_VAL)) << name;
        EXPECT_LE(found.get<double>(), expected.value("most", HUGE_VAL)) << name;
    }

    static constexpr const char* output_name = "standard.output";
    static constexpr const char* errors_name = "standard.errors";

    [[noreturn]] void start(std::vector<std::string> arguments, const std::string& environment,
                            const std::string& input, const std::string& output) const {
        const auto redirect = [&](const char* name, int descriptor) {
            dup2(open(path(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), descriptor);
        };
        dup2(open(input.c_str(), O_RDONLY), STDIN_FILENO);
        redirect(output_name, STDOUT_FILENO);
        if (!output.empty()) dup2(open(output.c_str(), O_WRONLY), STDOUT_FILENO);
        redirect(errors_name, STDERR_FILENO);
        unsetenv("LANECULL_ISA");
        if (!environment.empty()) {
            const std::size_t equals = environment.find('=');
            setenv(environment.substr(0, equals).c_str(), environment.substr(equals + 1).c_str(), 1);
        }
        std::vector<char*> pointers = {const_cast<char*>(LANECULL_PROGRAM)};
        for (std::string& argument : arguments) pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        if (chdir(folder_.c_str()) == 0) execv(LANECULL_PROGRAM, pointers.data());
        _exit(127);
    }

    std::filesystem::path folder_;
};

/// Commands that a team does: their files are the same bytes for any number of threads and ranks.
struct TeamRuns {
    std::string (*command)(const std::string& name);  ///< writes files whose names begin so
    std::initializer_list<const char*> outputs;       ///< how these end
};

class TeamProgram : public Program {
protected:
    void expect_same_files(const TeamRuns& runs, const std::string& a, const std::string& b) const {
        for (const std::string suffix : runs.outputs) {
            const std::string one = read(path(a + suffix));
            EXPECT_GT(one.size(), 100u) << a << suffix;
            EXPECT_TRUE(one == read(path(b + suffix))) << a << " and " << b << " differ in " << suffix;
        }
    }

    void expect_same_for_threads(const TeamRuns& runs, const std::string& more) const {
        for (const char* name : {"one", "three"}) {
            const std::string threads = name == std::string("one") ? " --threads 1" : " --threads 3";
            EXPECT_EQ(output_of(runs.command(name) + more + threads), "");
        }
        expect_same_files(runs, "one", "three");
    }

    /// Without MPI each of mpirun's processes would do all of the work.
    void expect_same_on_ranks(const TeamRuns& runs) const {
#ifdef LANECULL_HAS_MPI
        EXPECT_EQ(output_of(runs.command("alone")), "");
        for (const std::string ranks : {"2", "5"}) {
            const std::string mpirun = "cd " + path(".") + " && mpirun --oversubscribe --allow-run-as-root -n " +
                                       ranks + " " + LANECULL_PROGRAM + " ";
            ASSERT_EQ(std::system((mpirun + runs.command("ranks" + ranks) + " >log 2>&1").c_str()), 0)
                << read(path("log"));
            expect_same_files(runs, "alone", "ranks" + ranks);
            EXPECT_NE(std::system((mpirun + "sweep missing.csv >log 2>&1").c_str()), 0);
            const std::string said = read(path("log"));
            EXPECT_NE(said.find("missing.csv"), std::string::npos) << said;
            EXPECT_EQ(said.find("lanecull: "), said.rfind("lanecull: ")) << "said once: " << said;
        }
#else
        expect_error(words(runs.command("alone")), failed, "built without MPI", "OMPI_COMM_WORLD_SIZE=3");
#endif
    }
};
