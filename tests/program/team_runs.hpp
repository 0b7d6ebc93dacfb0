#pragma once

#include <cstdlib>

#include "program/program.hpp"

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
