#pragma once

#include <signal.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "program/program.hpp"

/// Commands that a team does: their files are the same bytes for any number of threads and ranks, and after kills.

struct TeamRuns {
    std::string (*command)(const std::string& name);  ///< writes files whose names begin so
    std::initializer_list<const char*> outputs;       ///< how these end
    const char* journal;                              ///< how the journal's name ends
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

    /// Runs that are killed at work, again and again, until one is done.
    void expect_same_when_killed(const TeamRuns& runs) const {
        using namespace std::chrono_literals;
        EXPECT_EQ(output_of(runs.command("whole")), "");
        const std::string journal = path(std::string("killed") + runs.journal);
        const std::string last = path(std::string("killed") + *(runs.outputs.end() - 1));
        const auto length = [&] {
            std::error_code none;
            const std::uintmax_t bytes = std::filesystem::file_size(journal, none);
            return none ? 0 : bytes;
        };
        for (int kills = 0; kills < 4; ++kills) {
            const std::uintmax_t before = length();
            const pid_t child = launch(words(runs.command("killed")));
            int status = 0;
            while (length() <= before && waitpid(child, &status, WNOHANG) == 0) std::this_thread::sleep_for(1ms);
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            if (std::filesystem::exists(last)) break;  // it was done before
            EXPECT_GT(length(), before) << "a run before lost what it had noted";
        }
        if (length() > 0) {
            // A record that is cut off, as a kill in the midst of it leaves one.
            std::ofstream(journal, std::ios::binary | std::ios::app) << "half a record";
        }
        EXPECT_EQ(output_of(runs.command("killed")), "");
        expect_same_files(runs, "whole", "killed");
        EXPECT_FALSE(std::filesystem::exists(journal));
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
