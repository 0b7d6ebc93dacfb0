#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
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

    /// What the program prints on a command line: "cull boxes.csv". It must succeed.
    [[nodiscard]] std::string output_of(const std::string& line) const {
        const Result result = run(words(line));
        EXPECT_EQ(result.status, 0) << line << "\n" << result.errors;
        return result.output;
    }

    /// Of many command lines: what each is refused with.
    struct Refusal {
        const char* line;
        int status;
        const char* named;
    };
    void expect_errors(std::initializer_list<Refusal> refusals) const {
        for (const auto& [line, status, named] : refusals) expect_error(words(line), status, named);
    }

    /// Expects the program to fail with one line that names `named`, and to create or remove no file in the folder.
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
        EXPECT_EQ(files(), before) << "files appeared or vanished";
    }

    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    const std::vector<std::string> small_city_ = {"cull", "--objects", "20000", "--frames", "5", "--quiet"};

    [[nodiscard]] std::vector<std::string> small_city(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = small_city_;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    [[nodiscard]] nlohmann::json report_of(const std::string& line) const { return report(words(line)); }

    [[nodiscard]] nlohmann::json report(std::vector<std::string> arguments) const {
        const std::string file = path("report.json");
        arguments.insert(arguments.end(), {"--json", file});
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.errors;
        return nlohmann::json::parse(read(file));
    }

private:
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
