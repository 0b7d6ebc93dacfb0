/// Boxes with round edges: every point within `radius` of the box min <= p <= max. An object is invalid if min > max.
struct RoundedBoxes {
    const float* min_x = nullptr;
    const float* min_y = nullptr;
    const float* min_z = nullptr;
    const float* max_x = nullptr;
    const float* max_y = nullptr;
    const float* max_z = nullptr;
    const float* radius = nullptr;  ///< >= 0
    std::uint32_t count = 0;
};
