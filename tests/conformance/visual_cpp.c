/* A program for Visual C++'s ABI, compiled by clang, culls by a DLL of g++: lanecull_visual_cpp. It has no C library,
 * and declares what it needs of Windows itself. Its views and memory are static, since a frame of more than a page
 * calls the C library's __chkstk. Prints what does not hold; the exit status is then 1. */

#include <lanecull/lanecull.h>

void* GetStdHandle(uint32_t which);
int WriteFile(void* file, const void* bytes, uint32_t count, uint32_t* written, void* overlapped);
__declspec(noreturn) void ExitProcess(uint32_t status);

int _fltused = 1; /* clang refers to it where there are floats; a C library would define it */

static uint32_t failures = 0;

static void print(const char* text) {
    uint32_t length = 0, written = 0;
    while (text[length] != 0) ++length;
    WriteFile(GetStdHandle((uint32_t)-11), text, length, &written, NULL); /* STD_OUTPUT_HANDLE */
}

static void expect(int condition, const char* what) {
    if (condition) return;
    ++failures;
    print("does not hold: ");
    print(what);
    print("\n");
}

static int same(const char* a, const char* b) {
    while (*a != 0 && *a == *b) ++a, ++b;
    return *a == *b;
}

/* A runner: the library calls back. */
static void run_in_order(void* self, uint32_t count, const lanecull_task* task) {
    for (uint32_t i = 0; i < count; ++i, ++*(uint32_t*)self) task->call(task->context, i);
}

/* The README's three spheres: the first is in view, the second beside it, the third behind the eye. */
static const float x[] = {0, 90, 0}, y[] = {0, 0, 0}, z[] = {-5, -5, 20}, radius[] = {1, 1, 1};
static const float clip_from_world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1f, 0};
static const lanecull_batch spheres = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, 3}};
static lanecull_view view;
static uint64_t visible = ~(uint64_t)0;
static uint32_t indices[] = {7, 7, 7}, tasks = 0;
static lanecull_output output = {.visible = {&visible, 1}, .indices = {indices, 3}};
static unsigned char scratch[4096];
static lanecull_cull_call call = {.objects.batches = {&spheres, 1},
                                  .views = {&view, 1},
                                  .outputs = {&output, 1},
                                  .scratch = {scratch, sizeof scratch},
                                  .options.runner = {&tasks, run_in_order}};

static void cull_spheres(void) {
    expect(lanecull_prepare_view_of_floats(clip_from_world, NULL, NULL, &view).code == LANECULL_OK, "a view is made");
    expect(lanecull_visibility_words(&call.objects) == 1, "three spheres take a word");
    expect(lanecull_scratch_bytes(&call.objects, 1) <= sizeof scratch, "there is enough scratch memory");
    expect(lanecull_cull(&call).code == LANECULL_OK, "spheres are culled");
    expect(visible == 1, "the first sphere alone is visible");
    expect(output.visible_count == 1 && indices[0] == 0, "the list has the first sphere alone");
    expect(tasks == 2, "the runner runs a task for the bits and one for the list");
}

/* A failure comes back by value, with the numbers of its sentence. */
static void refuse_two_outputs(void) {
    static lanecull_message message;
    call.outputs.count = 2;
    const lanecull_status status = lanecull_cull(&call);
    lanecull_explain(&status, message.text, sizeof message.text);
    expect(status.code == LANECULL_INVALID_ARGUMENT, "two outputs for one view are refused");
    expect(same(message.text, "outputs: there must be one for each of the 1 views, not 2"), "the sentence says why");
}

void mainCRTStartup(void) {
    cull_spheres();
    refuse_two_outputs();
    ExitProcess(failures == 0 ? 0 : 1);
}
