#pragma once

/// Each adds its benchmarks to Google Benchmark's list: those only that this machine can run.
namespace bench {

void register_attribute_benchmarks();
void register_call_benchmarks();
void register_contact_benchmarks();
void register_cull_benchmarks();
void register_gjk_benchmarks();
void register_occluder_benchmarks();
void register_output_benchmarks();
void register_pack_benchmarks();
void register_pair_benchmarks();
void register_query_benchmarks();
void register_read_benchmarks();
void register_server_benchmarks();
void register_solid_benchmarks();
void register_step_benchmarks();
void register_thread_benchmarks();
void register_light_benchmarks();
void register_loop_benchmarks();
void register_view_benchmarks();
void register_frame_benchmarks();
void register_place_benchmarks();
void register_world_benchmarks();

}  // namespace bench
