#include "support/company.hpp"

#include <stdexcept>

Company::Company(Kind kind, std::span<const Object> objects, const HullSet& hulls, const Streams& streams)
    : objects_(objects.size()) {
    for (std::vector<lanecull::Batch>* batches : {&plain_, &flagged_}) {
        Format format{.streams = streams};
        format.streams.flags = batches == &flagged_;
        const auto add_batch = [&](std::span<const Object> of) {
            batches->push_back(make_batch(kind, of, hulls, memory_, format));
        };
        for (const Object& object : objects) add_batch({&object, 1});
        for (std::size_t i = 0; i < objects.size(); ++i) {
            std::vector<Object> crowd(neighbours, objects[(i + 1) % objects.size()]);
            crowd.front() = objects[i];
            add_batch(crowd);
        }
        add_batch(objects);
    }
}

void Company::add(std::vector<std::string>& verdicts, std::span<const lanecull::Batch> batches,
                  std::span<const std::uint64_t> candidates, const lanecull::View& view,
                  const lanecull::CullOptions& options) const {
    std::vector<std::uint64_t> visible(lanecull::visibility_words(batches));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Output output;
    output.visible = visible, output.candidates = candidates;
    const lanecull::Status status =
        cull(batches, std::span(&view, 1), std::span(&output, 1), std::span(scratch), options);
    if (!status) throw std::runtime_error(status.message());
    const auto bit = [&](std::size_t word, std::size_t at) { return (visible[word] >> at & 1) != 0 ? '1' : '0'; };
    for (std::size_t i = 0; i < objects_; ++i) {
        verdicts[i] += bit(i, 0);
        verdicts[i] += bit(objects_ + i * (neighbours / 64), 0);
        verdicts[i] += bit(objects_ * (1 + neighbours / 64) + i / 64, i % 64);
    }
}

std::vector<std::string> Company::verdicts(const lanecull::View& view, const lanecull::CullOptions& options) const {
    std::vector<std::string> verdicts(objects_);
    const std::vector<std::uint64_t> everyone(lanecull::visibility_words(plain_), ~std::uint64_t{0});
    add(verdicts, plain_, {}, view, options);
    add(verdicts, plain_, everyone, view, options);
    add(verdicts, flagged_, {}, view, options);
    return verdicts;
}
