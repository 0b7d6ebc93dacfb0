#include "yardsticks/textbook_gjk.hpp"

#include <cmath>

namespace bench::textbook {
namespace {

constexpr int max_iterations = 32;

struct Vec3 {
    float x, y, z;

    static Vec3 from(const float* p) { return {p[0], p[1], p[2]}; }
    friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    friend Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
    friend float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    friend Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
    /// Normal to a, in the plane of a and b, toward b.
    friend Vec3 toward(Vec3 a, Vec3 b) { return cross(cross(a, b), a); }
};

/// Support mappings: the point of the shape farthest in direction d.

struct Ball {
    Vec3 centre;
    float radius;

    Vec3 support(Vec3 d) const { return centre + (radius / std::sqrt(dot(d, d))) * d; }
};

struct AlignedBox {
    Vec3 centre, half;

    Vec3 support(Vec3 d) const {
        return centre + Vec3{std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z)};
    }
};

struct OrientedBox {
    Vec3 centre, arm[3];

    Vec3 support(Vec3 d) const {
        const float s0 = std::copysign(1.0f, dot(arm[0], d));
        const float s1 = std::copysign(1.0f, dot(arm[1], d));
        const float s2 = std::copysign(1.0f, dot(arm[2], d));
        return centre + s0 * arm[0] + s1 * arm[1] + s2 * arm[2];
    }
};

struct Capsule {
    Vec3 centre, arm;
    float radius;

    Vec3 support(Vec3 d) const {
        return centre + std::copysign(1.0f, dot(arm, d)) * arm + (radius / std::sqrt(dot(d, d))) * d;
    }
};

struct Cylinder {
    Vec3 centre, arm;
    float radius;

    Vec3 support(Vec3 d) const {
        const float along = dot(arm, d);
        const Vec3 across = cross(cross(arm, d), arm);
        const float square = dot(across, across);
        const Vec3 end = centre + std::copysign(1.0f, along) * arm;
        return square > 0 ? end + (radius / std::sqrt(square)) * across : end;
    }
};

struct Cone {
    Vec3 centre, arm;
    float radius;
    bool is_round;

    Vec3 support(Vec3 d) const {
        const Vec3 across = cross(cross(arm, d), arm), apex = centre - arm, middle = centre + arm;
        if (is_round) {
            const float height = 4 * dot(arm, arm), range = std::sqrt(height + radius * radius);
            const float length = std::sqrt(dot(d, d));
            if (2 * dot(arm, d) * range > height * length) return apex + (range / length) * d;
        }
        const float square = dot(across, across);
        const Vec3 rim = square > 0 ? middle + (radius / std::sqrt(square)) * across : middle;
        return dot(rim - apex, d) < 0 ? apex : rim;
    }
};

struct Ellipsoid {
    Vec3 centre, arm[3];

    Vec3 support(Vec3 d) const {
        const Vec3 along = {dot(arm[0], d), dot(arm[1], d), dot(arm[2], d)};
        const float inverse = 1 / std::sqrt(dot(along, along));
        return centre + (along.x * inverse) * arm[0] + (along.y * inverse) * arm[1] + (along.z * inverse) * arm[2];
    }
};

struct HullInstance {
    const float* m;  ///< 3x4, row by row
    const lanecull::Hull& hull;
    Vec3 centre;

    Vec3 support(Vec3 d) const {
        const Vec3 local = {m[0] * d.x + m[4] * d.y + m[8] * d.z, m[1] * d.x + m[5] * d.y + m[9] * d.z,
                            m[2] * d.x + m[6] * d.y + m[10] * d.z};
        std::uint32_t best = 0;
        float farthest = -INFINITY;
        for (std::uint32_t i = 0; i < hull.count; ++i) {
            const float s = local.x * hull.x[i] + local.y * hull.y[i] + local.z * hull.z[i];
            best = s > farthest ? i : best;
            farthest = s > farthest ? s : farthest;
        }
        return transform({hull.x[best], hull.y[best], hull.z[best]});
    }
    Vec3 transform(Vec3 p) const {
        return {m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
    }
};

struct Volume {
    explicit Volume(const Frustum& f)
        : eye(Vec3::from(f.eye)),
          right(f.tan_x * Vec3::from(f.right)),
          up(f.tan_y * Vec3::from(f.up)),
          forward(Vec3::from(f.forward)),
          near_depth(f.near_depth),
          far_depth(f.far_depth),
          centre(eye + 0.5f * (near_depth + far_depth) * forward) {}

    /// The edge ray farthest along d, then its far or near end: reading eight corners makes a query 40 % slower.
    Vec3 support(Vec3 d) const {
        const float x = dot(right, d), y = dot(up, d);
        const Vec3 ray = forward + std::copysign(1.0f, x) * right + std::copysign(1.0f, y) * up;
        const float slope = std::abs(x) + std::abs(y) + dot(forward, d);
        return eye + (slope > 0 ? far_depth : near_depth) * ray;
    }

    Vec3 eye, right, up, forward;  ///< right and up reach to the sides at depth 1
    float near_depth, far_depth;
    Vec3 centre;
};

/// Up to four points of the difference A - B, the newest first, and the direction from them to the origin.
struct Simplex {
    Vec3 a, b, c, d;
    int count;
    Vec3 direction;

    void push(Vec3 point) {
        d = c;
        c = b;
        b = a;
        a = point;
        ++count;
    }

    /// Reduces to the feature nearest the origin. True when the origin is inside.
    bool evolve() {
        switch (count) {
            case 2:
                edge(b);
                return false;
            case 3:
                triangle(b, c);
                return false;
            default:
                return tetrahedron();
        }
    }

private:
    // The newest point lies beyond the origin, so every region in which the origin may be has `a` as a corner.

    void vertex() {
        count = 1;
        direction = -a;
    }

    void edge(Vec3 p) {
        const Vec3 ap = p - a, ao = -a;
        if (dot(ap, ao) <= 0) return vertex();
        b = p;
        count = 2;
        direction = toward(ap, ao);
    }

    void triangle(Vec3 p, Vec3 q) {
        const Vec3 ap = p - a, aq = q - a, ao = -a;
        const Vec3 normal = cross(ap, aq);
        if (dot(cross(normal, aq), ao) > 0) {
            // Beyond edge a-q; past its start, a-p may still be nearer.
            if (dot(aq, ao) > 0) return edge(q);
            return edge(p);
        }
        if (dot(cross(ap, normal), ao) > 0) return edge(p);
        face(p, q, normal);
    }

    /// The origin projects into triangle a, p, q: keep it, wound so that its normal faces the origin.
    void face(Vec3 p, Vec3 q, Vec3 normal) {
        const bool front = dot(normal, a) < 0;
        b = front ? p : q;
        c = front ? q : p;
        count = 3;
        direction = front ? normal : -normal;
    }

    bool tetrahedron() {
        // b, c, d is wound so that its normal faces a: these three then face outward.
        const Vec3 ab = b - a, ac = c - a, ad = d - a, ao = -a;
        const Vec3 abc = cross(ab, ac), acd = cross(ac, ad), adb = cross(ad, ab);
        const int beyond = (dot(abc, ao) > 0 ? 1 : 0) | (dot(acd, ao) > 0 ? 2 : 0) | (dot(adb, ao) > 0 ? 4 : 0);
        switch (beyond) {
            case 0:
                return true;
            case 1:
                triangle(b, c);
                break;
            case 2:
                triangle(c, d);
                break;
            case 4:
                triangle(d, b);
                break;
            case 3:
                two_faces(b, c, d, abc, ac);
                break;
            case 6:
                two_faces(c, d, b, acd, ad);
                break;
            case 5:
                two_faces(d, b, c, adb, ab);
                break;
            default:
                vertex();
                break;
        }
        return false;
    }

    /// Beyond both a, p, q and a, q, r, which share edge a-q: the side of that edge within the first face tells which.
    void two_faces(Vec3 p, Vec3 q, Vec3 r, Vec3 first_normal, Vec3 shared) {
        if (dot(cross(first_normal, shared), -a) > 0)
            triangle(q, r);
        else
            triangle(p, q);
    }
};

template <class Shape>
bool overlap(const Shape& shape, const Volume& volume) {
    Simplex simplex;
    simplex.a = shape.centre - volume.centre;
    simplex.direction = -simplex.a;
    simplex.count = 0;
    for (int i = 0; i < max_iterations; ++i) {
        const Vec3 d = simplex.direction;
        const Vec3 point = shape.support(d) - volume.support(-d);
        // A zero or overflowed direction fails this test, so touching pairs end at the cap, overlapping.
        if (dot(point, d) < 0) return false;
        simplex.push(point);
        if (simplex.count == 1)
            simplex.direction = -point;
        else if (simplex.evolve())
            return true;
    }
    return true;
}

template <class ShapeAt>
void overlap_all(std::uint32_t count, const Frustum& frustum, std::uint64_t* visible, ShapeAt shape_at) {
    const Volume volume(frustum);
    std::uint64_t word = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        word |= std::uint64_t{overlap(shape_at(i), volume)} << (i % 64);
        if (i % 64 == 63 || i + 1 == count) {
            visible[i / 64] = word;
            word = 0;
        }
    }
}

}  // namespace

void overlaps(const lanecull::Spheres& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        return Ball{{s.x[i], s.y[i], s.z[i]}, s.radius[i]};
    });
}

void overlaps(const lanecull::Boxes& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        const Vec3 lower = {s.min_x[i], s.min_y[i], s.min_z[i]};
        const Vec3 upper = {s.max_x[i], s.max_y[i], s.max_z[i]};
        return AlignedBox{0.5f * (lower + upper), 0.5f * (upper - lower)};
    });
}

void overlaps(const lanecull::CenteredBoxes& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        return AlignedBox{{s.x[i], s.y[i], s.z[i]}, {s.half_x[i], s.half_y[i], s.half_z[i]}};
    });
}

void overlaps(const lanecull::OrientedBoxes& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        const float* axis = s.axes.first + 9 * std::size_t{i};
        const float* half = s.half_extents.first + 3 * std::size_t{i};
        return OrientedBox{
            {s.x[i], s.y[i], s.z[i]},
            {half[0] * Vec3::from(axis), half[1] * Vec3::from(axis + 3), half[2] * Vec3::from(axis + 6)}};
    });
}

void overlaps(const lanecull::Capsules& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        const Vec3 a = {s.a_x[i], s.a_y[i], s.a_z[i]}, b = {s.b_x[i], s.b_y[i], s.b_z[i]};
        return Capsule{0.5f * (a + b), 0.5f * (b - a), s.radius[i]};
    });
}

void overlaps(const lanecull::Cylinders& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        const Vec3 a = {s.a_x[i], s.a_y[i], s.a_z[i]}, b = {s.b_x[i], s.b_y[i], s.b_z[i]};
        return Cylinder{0.5f * (a + b), 0.5f * (b - a), s.radius[i]};
    });
}

void overlaps(const lanecull::Cones& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        const Vec3 apex = {s.apex_x[i], s.apex_y[i], s.apex_z[i]}, base = {s.base_x[i], s.base_y[i], s.base_z[i]};
        return Cone{0.5f * (apex + base), 0.5f * (base - apex), s.radius[i], s.end == lanecull::ConeEnd::round};
    });
}

void overlaps(const lanecull::Ellipsoids& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        const float* q = s.quaternions.first + 4 * std::size_t{i};
        const float* half = s.half_axes.first + 3 * std::size_t{i};
        const float x = q[0], y = q[1], z = q[2], w = q[3], two = 2 / (x * x + y * y + z * z + w * w);
        return Ellipsoid{{s.x[i], s.y[i], s.z[i]},
                         {half[0] * Vec3{1 - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)},
                          half[1] * Vec3{two * (x * y - w * z), 1 - two * (x * x + z * z), two * (y * z + w * x)},
                          half[2] * Vec3{two * (x * z + w * y), two * (y * z - w * x), 1 - two * (x * x + y * y)}}};
    });
}

void overlaps(const lanecull::HullInstances& s, const Frustum& frustum, std::uint64_t* visible) {
    overlap_all(s.count, frustum, visible, [&](std::uint32_t i) {
        const float* m = s.transforms.first + 12 * std::size_t{i};
        return HullInstance{m, s.hulls[s.hull_index ? s.hull_index[i] : 0], {m[3], m[7], m[11]}};
    });
}

}  // namespace bench::textbook
