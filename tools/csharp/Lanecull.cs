// lanecull for C#: batches, views, culls and scenes, over the structs and functions of Native.cs, which
// tools/bindings/generate.py makes of the headers. Compile the two together, with -unsafe. README.md has an example;
// the headers in include/lanecull are the manual.
//
// Arrays are read and written where they are, never copied. A batch pins the arrays that it was made of until it is
// disposed; a call pins those that it writes. Whatever fails throws.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using F = Lanecull.Native.Functions;

namespace Lanecull
{
    /// <summary>What a call of the library came to: its kind of failure, and its sentence.</summary>
    public sealed class LanecullException : Exception
    {
        public readonly StatusCode Code;

        internal LanecullException(StatusCode code, string sentence) : base(sentence)
        {
            Code = code;
        }

        internal static LanecullException Invalid(string sentence)
        {
            return new LanecullException(StatusCode.InvalidArgument, sentence);
        }
    }

    /// <summary>The library as a whole.</summary>
    public static unsafe class Library
    {
        /// <summary>Throws what a call came to, if that is no success.</summary>
        public static void Check(Native.Status status)
        {
            if (status.code == StatusCode.Ok) return;
            Native.Message message;
            throw new LanecullException(status.code, Text(F.lanecull_explain(&status, message.text,
                                                                             (UIntPtr)sizeof(Native.Message))));
        }

        /// <summary>Whether this library has the set and this machine runs it.</summary>
        public static bool IsRunnable(Isa isa)
        {
            return F.lanecull_isa_runnable(isa) != 0;
        }

        /// <summary>"scalar", "avx2", ...</summary>
        public static string Name(Isa isa)
        {
            return Text(F.lanecull_isa_name(isa));
        }

        /// <summary>The library must be of the headers that Native.cs was made of.</summary>
        internal static void CheckForm()
        {
            uint form = F.lanecull_library_form();
            if (form != F.FORM)
                throw new LanecullException(StatusCode.Unsupported,
                                            "the library has form " + form + ", Native.cs is for " + F.FORM);
        }

        private static string Text(byte* sentence)
        {
            int length = 0;
            while (sentence[length] != 0) ++length;
            return new string((sbyte*)sentence, 0, length, Encoding.UTF8);
        }
    }

    /// <summary>Numbers that are read where they are: an array, or memory that nobody moves or frees as long as the
    /// batch is used, as a NativeArray's.</summary>
    public struct Stream<T> where T : struct
    {
        internal readonly T[] Array;
        internal readonly IntPtr First;
        public readonly int Length;

        public Stream(T[] array)
        {
            Array = array;
            First = IntPtr.Zero;
            Length = array == null ? 0 : array.Length;
        }

        /// <summary>The caller answers for it that `length` numbers are there.</summary>
        public Stream(IntPtr first, int length)
        {
            if (first == IntPtr.Zero || length < 0)
                throw LanecullException.Invalid("a stream: must not be null, nor shorter than 0");
            Array = null;
            First = first;
            Length = length;
        }

        public static implicit operator Stream<T>(T[] array)
        {
            return new Stream<T>(array);
        }

        internal bool IsGiven
        {
            get { return Array != null || First != IntPtr.Zero; }
        }
    }

    /// <summary>Arrays that stay where they are until this is disposed and no call uses them any more.</summary>
    internal sealed unsafe class Pins : SafeHandle
    {
        private readonly List<GCHandle> pinned = new List<GCHandle>();

        internal Pins() : base(IntPtr.Zero, true)
        {
            SetHandle(new IntPtr(1));
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        internal void* Pin(object array)
        {
            pinned.Add(GCHandle.Alloc(array, GCHandleType.Pinned));
            return (void*)pinned[pinned.Count - 1].AddrOfPinnedObject();
        }

        /// <summary>The stream's numbers, of which there must be `needed`; null if it is not given.</summary>
        internal void* Pin<T>(Stream<T> stream, long needed, string name) where T : struct
        {
            if (!stream.IsGiven) return null;
            if (stream.Length != needed)
                throw LanecullException.Invalid(name + ": must have " + needed + " numbers, not " + stream.Length);
            return stream.Array != null ? Pin(stream.Array) : (void*)stream.First;
        }

        internal void Release()
        {
            foreach (GCHandle one in pinned) one.Free();
            pinned.Clear();
        }

        protected override bool ReleaseHandle()
        {
            Release();
            return true;
        }
    }

    /// <summary>While this lives, what it holds is not released, whoever disposes of it.</summary>
    internal struct Held : IDisposable
    {
        private readonly SafeHandle what;

        internal Held(SafeHandle what)
        {
            bool isHeld = false;
            what.DangerousAddRef(ref isHeld);
            this.what = what;
        }

        public void Dispose()
        {
            what.DangerousRelease();
        }
    }

    /// <summary>What objects may have besides their shape, with a number for each: lanecull_attributes.</summary>
    public sealed class Attributes
    {
        public Stream<float> Margin, SweepX, SweepY, SweepZ, MaxDistance, MinProjectedSize, MinDistance;
        public Stream<uint> Flags, Layers;
    }

    /// <summary>Transforms of objects, in the numbers of `layout`, one right after the other or every `strideBytes`.
    /// </summary>
    public struct Transforms
    {
        internal readonly Stream<float> Numbers;
        internal readonly TransformLayout Layout;
        internal readonly int StrideBytes;

        public Transforms(Stream<float> numbers, TransformLayout layout, int strideBytes = 0)
        {
            if (strideBytes < 0 || strideBytes % 4 != 0)
                throw LanecullException.Invalid("strideBytes: must be a multiple of 4");
            Numbers = numbers;
            Layout = layout;
            StrideBytes = strideBytes;
        }

        /// <summary>How many there are.</summary>
        public int Count
        {
            get
            {
                int own = Layout == TransformLayout.Rows3x4 || Layout == TransformLayout.Columns3x4 ? 12 : 16;
                int apart = Math.Max(StrideBytes / 4, own);
                return Numbers.Length < own ? 0 : (Numbers.Length - own) / apart + 1;
            }
        }

        internal unsafe Native.Transforms Pin(Pins pins)
        {
            return new Native.Transforms {
                first = (float*)pins.Pin(Numbers, Numbers.Length, "transforms"),
                stride_bytes = (UIntPtr)StrideBytes,
                layout = Layout,
            };
        }
    }

    /// <summary>A vertex set that instances share: lanecull_prepare_hull(). The vertices are not copied and must not
    /// change afterwards.</summary>
    public sealed unsafe class Hull
    {
        private readonly Stream<float> x, y, z;
        private Native.Hull hull;

        public Hull(Stream<float> x, Stream<float> y, Stream<float> z)
        {
            Library.CheckForm();
            this.x = x;
            this.y = y;
            this.z = z;
            using (var pins = new Pins())
            {
                Native.Hull prepared;
                Library.Check(F.lanecull_prepare_hull((float*)pins.Pin(x, x.Length, "x"),
                                                      (float*)pins.Pin(y, x.Length, "y"),
                                                      (float*)pins.Pin(z, x.Length, "z"), (uint)x.Length, &prepared));
                hull = prepared;
            }
        }

        /// <summary>It, with its vertices where they stay.</summary>
        internal Native.Hull Pin(Pins pins)
        {
            Native.Hull here = hull;
            here.x = (float*)pins.Pin(x, x.Length, "x");
            here.y = (float*)pins.Pin(y, x.Length, "y");
            here.z = (float*)pins.Pin(z, x.Length, "z");
            return here;
        }
    }

    /// <summary>Objects of one kind, in arrays that stay yours. They are pinned until the batch is disposed, and must
    /// not be written while a call reads them. `firstIndex` is the first object's number in lists.</summary>
    public sealed unsafe class Batch : IDisposable
    {
        /// <summary>What the library reads. What is set here goes along, such as `draws` or the positions of
        /// transforms; whoever sets a pointer keeps what it points to.</summary>
        public Native.Batch Raw;

        internal readonly Pins Pins = new Pins();

        public int Count { get; }

        private Batch(Kind kind, int count, Attributes attributes, uint firstIndex)
        {
            Count = count;
            Raw.kind = kind;
            Raw.first_index = firstIndex;
            if (attributes == null) return;
            Raw.attributes.margin = Floats(attributes.Margin, "Margin");
            Raw.attributes.sweep_x = Floats(attributes.SweepX, "SweepX");
            Raw.attributes.sweep_y = Floats(attributes.SweepY, "SweepY");
            Raw.attributes.sweep_z = Floats(attributes.SweepZ, "SweepZ");
            Raw.attributes.flags = (uint*)Pins.Pin(attributes.Flags, count, "Flags");
            Raw.attributes.layers = (uint*)Pins.Pin(attributes.Layers, count, "Layers");
            Raw.attributes.max_distance = Floats(attributes.MaxDistance, "MaxDistance");
            Raw.attributes.min_projected_size = Floats(attributes.MinProjectedSize, "MinProjectedSize");
            Raw.attributes.min_distance = Floats(attributes.MinDistance, "MinDistance");
        }

        /// <summary>Lets go of the arrays, as soon as no call uses them.</summary>
        public void Dispose()
        {
            Pins.Dispose();
        }

        public static Batch Spheres(Stream<float> x, Stream<float> y, Stream<float> z, Stream<float> radius,
                                    Attributes attributes = null, uint firstIndex = 0)
        {
            var batch = new Batch(Kind.Spheres, x.Length, attributes, firstIndex);
            batch.Raw.shapes.spheres = new Native.Spheres {
                x = batch.Floats(x, "x"), y = batch.Floats(y, "y"), z = batch.Floats(z, "z"),
                radius = batch.Floats(radius, "radius"), count = (uint)batch.Count,
            };
            return batch;
        }

        /// <summary>Boxes along the axes, by their corners.</summary>
        public static Batch Boxes(Stream<float> minX, Stream<float> minY, Stream<float> minZ, Stream<float> maxX,
                                  Stream<float> maxY, Stream<float> maxZ, Attributes attributes = null,
                                  uint firstIndex = 0)
        {
            var batch = new Batch(Kind.Boxes, minX.Length, attributes, firstIndex);
            batch.Raw.shapes.boxes = batch.PinBoxes(batch.Count, minX, minY, minZ, maxX, maxY, maxZ);
            return batch;
        }

        /// <summary>Boxes along the axes, by centre and half-extents.</summary>
        public static Batch CenteredBoxes(Stream<float> x, Stream<float> y, Stream<float> z, Stream<float> halfX,
                                          Stream<float> halfY, Stream<float> halfZ, Attributes attributes = null,
                                          uint firstIndex = 0)
        {
            var batch = new Batch(Kind.CenteredBoxes, x.Length, attributes, firstIndex);
            batch.Raw.shapes.centered_boxes = new Native.CenteredBoxes {
                x = batch.Floats(x, "x"), y = batch.Floats(y, "y"), z = batch.Floats(z, "z"),
                half_x = batch.Floats(halfX, "halfX"), half_y = batch.Floats(halfY, "halfY"),
                half_z = batch.Floats(halfZ, "halfZ"), count = (uint)batch.Count,
            };
            return batch;
        }

        /// <summary>Boxes by centre, three half-extents and an orientation each: nine numbers of `axes` or four of
        /// `quaternions`.</summary>
        public static Batch OrientedBoxes(Stream<float> x, Stream<float> y, Stream<float> z, Stream<float> halfExtents,
                                          Stream<float> axes = default(Stream<float>),
                                          Stream<float> quaternions = default(Stream<float>),
                                          Stream<float> boundingRadius = default(Stream<float>),
                                          Attributes attributes = null, uint firstIndex = 0)
        {
            var batch = new Batch(Kind.OrientedBoxes, x.Length, attributes, firstIndex);
            batch.Raw.shapes.oriented_boxes = new Native.OrientedBoxes {
                x = batch.Floats(x, "x"), y = batch.Floats(y, "y"), z = batch.Floats(z, "z"),
                axes = batch.Records(axes, 9, "axes"), quaternions = batch.Records(quaternions, 4, "quaternions"),
                half_extents = batch.Records(halfExtents, 3, "halfExtents"),
                bounding_radius = batch.Floats(boundingRadius, "boundingRadius"), count = (uint)batch.Count,
            };
            return batch;
        }

        public static Batch Capsules(Stream<float> aX, Stream<float> aY, Stream<float> aZ, Stream<float> bX,
                                     Stream<float> bY, Stream<float> bZ, Stream<float> radius,
                                     Attributes attributes = null, uint firstIndex = 0)
        {
            var batch = new Batch(Kind.Capsules, aX.Length, attributes, firstIndex);
            batch.Raw.shapes.capsules = new Native.Capsules {
                a_x = batch.Floats(aX, "aX"), a_y = batch.Floats(aY, "aY"), a_z = batch.Floats(aZ, "aZ"),
                b_x = batch.Floats(bX, "bX"), b_y = batch.Floats(bY, "bY"), b_z = batch.Floats(bZ, "bZ"),
                radius = batch.Floats(radius, "radius"), count = (uint)batch.Count,
            };
            return batch;
        }

        /// <summary>Solid cylinders with flat ends at a and b, which must differ.</summary>
        public static Batch Cylinders(Stream<float> aX, Stream<float> aY, Stream<float> aZ, Stream<float> bX,
                                      Stream<float> bY, Stream<float> bZ, Stream<float> radius,
                                      Attributes attributes = null, uint firstIndex = 0)
        {
            var batch = new Batch(Kind.Cylinders, aX.Length, attributes, firstIndex);
            batch.Raw.shapes.cylinders = new Native.Cylinders {
                a_x = batch.Floats(aX, "aX"), a_y = batch.Floats(aY, "aY"), a_z = batch.Floats(aZ, "aZ"),
                b_x = batch.Floats(bX, "bX"), b_y = batch.Floats(bY, "bY"), b_z = batch.Floats(bZ, "bZ"),
                radius = batch.Floats(radius, "radius"), count = (uint)batch.Count,
            };
            return batch;
        }

        /// <summary>Solid cones from an apex to a base of that radius, whose middle must be elsewhere. They end at the
        /// disc inside of the base's rim or, if they are round, at the sphere around the apex through the
        /// rim.</summary>
        public static Batch Cones(Stream<float> apexX, Stream<float> apexY, Stream<float> apexZ, Stream<float> baseX,
                                  Stream<float> baseY, Stream<float> baseZ, Stream<float> radius,
                                  Attributes attributes = null, uint firstIndex = 0,
                                  ConeEnd end = ConeEnd.Flat)
        {
            var batch = new Batch(Kind.Cones, apexX.Length, attributes, firstIndex);
            batch.Raw.shapes.cones = new Native.Cones {
                apex_x = batch.Floats(apexX, "apexX"), apex_y = batch.Floats(apexY, "apexY"),
                apex_z = batch.Floats(apexZ, "apexZ"), base_x = batch.Floats(baseX, "baseX"),
                base_y = batch.Floats(baseY, "baseY"), base_z = batch.Floats(baseZ, "baseZ"),
                radius = batch.Floats(radius, "radius"), count = (uint)batch.Count, end = end,
            };
            return batch;
        }

        /// <summary>Ellipsoids by centre, three half-axes and a quaternion each. The largest half-axis will do for
        /// boundingRadius.</summary>
        public static Batch Ellipsoids(Stream<float> x, Stream<float> y, Stream<float> z, Stream<float> halfAxes,
                                       Stream<float> quaternions,
                                       Stream<float> boundingRadius = default(Stream<float>),
                                       Attributes attributes = null, uint firstIndex = 0)
        {
            var batch = new Batch(Kind.Ellipsoids, x.Length, attributes, firstIndex);
            batch.Raw.shapes.ellipsoids = new Native.Ellipsoids {
                x = batch.Floats(x, "x"), y = batch.Floats(y, "y"), z = batch.Floats(z, "z"),
                quaternions = batch.Records(quaternions, 4, "quaternions"),
                half_axes = batch.Records(halfAxes, 3, "halfAxes"),
                bounding_radius = batch.Floats(boundingRadius, "boundingRadius"), count = (uint)batch.Count,
            };
            return batch;
        }

        /// <summary>Object i is hulls[hullIndex[i]] under transform i; without hullIndex there is one hull.</summary>
        public static Batch HullInstances(Transforms transforms, Hull[] hulls,
                                          Stream<uint> hullIndex = default(Stream<uint>), Attributes attributes = null,
                                          uint firstIndex = 0)
        {
            var batch = new Batch(Kind.HullInstances, transforms.Count, attributes, firstIndex);
            var pinned = new Native.Hull[hulls.Length];
            for (int i = 0; i < hulls.Length; ++i) pinned[i] = hulls[i].Pin(batch.Pins);
            batch.Raw.shapes.hull_instances = new Native.HullInstances {
                transforms = transforms.Pin(batch.Pins), hulls = (Native.Hull*)batch.Pins.Pin(pinned),
                hull_count = (uint)hulls.Length,
                hull_index = (uint*)batch.Pins.Pin(hullIndex, batch.Count, "hullIndex"), count = (uint)batch.Count,
            };
            return batch;
        }

        /// <summary>Object i is the local box boxIndex[i] under transform i; without boxIndex box i.</summary>
        public static Batch BoxInstances(Transforms transforms, Stream<float> minX, Stream<float> minY,
                                         Stream<float> minZ, Stream<float> maxX, Stream<float> maxY,
                                         Stream<float> maxZ, Stream<uint> boxIndex = default(Stream<uint>),
                                         Attributes attributes = null, uint firstIndex = 0)
        {
            var batch = new Batch(Kind.BoxInstances, transforms.Count, attributes, firstIndex);
            batch.Raw.shapes.box_instances = new Native.BoxInstances {
                transforms = transforms.Pin(batch.Pins),
                local = new Native.LocalBoxes {
                    boxes = batch.PinBoxes(minX.Length, minX, minY, minZ, maxX, maxY, maxZ),
                    box_index = (uint*)batch.Pins.Pin(boxIndex, batch.Count, "boxIndex"),
                },
                count = (uint)batch.Count,
            };
            return batch;
        }

        private float* Floats(Stream<float> stream, string name)
        {
            return (float*)Pins.Pin(stream, Count, name);
        }

        private Native.Records Records(Stream<float> stream, int numbers, string name)
        {
            return new Native.Records { first = (float*)Pins.Pin(stream, (long)numbers * Count, name) };
        }

        private Native.Boxes PinBoxes(int count, Stream<float> minX, Stream<float> minY, Stream<float> minZ,
                                      Stream<float> maxX, Stream<float> maxY, Stream<float> maxZ)
        {
            return new Native.Boxes {
                min_x = (float*)Pins.Pin(minX, count, "minX"), min_y = (float*)Pins.Pin(minY, count, "minY"),
                min_z = (float*)Pins.Pin(minZ, count, "minZ"), max_x = (float*)Pins.Pin(maxX, count, "maxX"),
                max_y = (float*)Pins.Pin(maxY, count, "maxY"), max_z = (float*)Pins.Pin(maxZ, count, "maxZ"),
                count = (uint)count,
            };
        }
    }

    /// <summary>How to read a clip matrix: lanecull_clip_space. The matrix maps p - origin.</summary>
    public struct ClipSpace
    {
        public MatrixLayout Layout;
        public DepthRange Depth;
        public double OriginX, OriginY, OriginZ;

        /// <summary>Vulkan, Metal, and Direct3D with matrices that row vectors are multiplied by, rows first.</summary>
        public static readonly ClipSpace Vulkan = new ClipSpace();
        /// <summary>OpenGL and Godot; Unity's Camera.projectionMatrix * Camera.worldToCameraMatrix, whose numbers it
        /// has in columns.</summary>
        public static readonly ClipSpace OpenGL = new ClipSpace { Depth = DepthRange.MinusOneToOne };

        internal unsafe Native.ClipSpace ToNative()
        {
            var native = new Native.ClipSpace { layout = Layout, depth = Depth };
            native.origin[0] = OriginX;
            native.origin[1] = OriginY;
            native.origin[2] = OriginZ;
            return native;
        }
    }

    /// <summary>The points p with (X, Y, Z) . p + Offset >= 0.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Plane
    {
        public double X, Y, Z, Offset;
    }

    /// <summary>Light from one direction, for a view of what casts shadows: lanecull_directional_light.</summary>
    public sealed class DirectionalLight
    {
        public double[] Toward;
        public double Reach;
    }

    /// <summary>Light from a point: lanecull_point_light.</summary>
    public sealed class PointLight
    {
        public double[] At;
        public double Range;
        public Plane[] Sides;
    }

    /// <summary>What a view may have besides its volume's shape: lanecull_view_options.</summary>
    public sealed class ViewOptions
    {
        public Plane[] ClipPlanes;
        public double Margin;
        public uint HiddenLayers;
        public double[] Eye;
        public double SizeScale;
        public DirectionalLight DirectionalLight;
        public PointLight PointLight;
    }

    /// <summary>A view volume. It may serve any number of culls at a time, but not while it is prepared anew.</summary>
    public sealed unsafe class View
    {
        internal Native.View Prepared;

        private delegate Native.Status Preparation(Native.ViewOptions* options, Native.View* view);

        /// <summary>The volume of a clip matrix of 16 numbers: lanecull_prepare_view().</summary>
        public View Prepare(double[] clipFromWorld, ClipSpace space, ViewOptions options = null)
        {
            CheckLength(clipFromWorld, 16, "clipFromWorld");
            return Prepare(options, (how, to) => {
                Native.ClipSpace native = space.ToNative();
                fixed (double* matrix = clipFromWorld) return F.lanecull_prepare_view(matrix, &native, how, to);
            });
        }

        public View Prepare(float[] clipFromWorld, ClipSpace space, ViewOptions options = null)
        {
            CheckLength(clipFromWorld, 16, "clipFromWorld");
            return Prepare(options, (how, to) => {
                Native.ClipSpace native = space.ToNative();
                fixed (float* matrix = clipFromWorld)
                    return F.lanecull_prepare_view_of_floats(matrix, &native, how, to);
            });
        }

        /// <summary>Both eyes' volumes: lanecull_prepare_stereo_view().</summary>
        public View PrepareStereo(double[] left, double[] right, ClipSpace space, ViewOptions options = null)
        {
            CheckLength(left, 16, "left");
            CheckLength(right, 16, "right");
            return Prepare(options, (how, to) => {
                Native.ClipSpace native = space.ToNative();
                fixed (double* l = left, r = right) return F.lanecull_prepare_stereo_view(l, r, &native, how, to);
            });
        }

        /// <summary>The convex hull of eight corners, 24 numbers: lanecull_prepare_view_from_corners().</summary>
        public View PrepareFromCorners(double[] corners, ViewOptions options = null)
        {
            CheckLength(corners, 24, "corners");
            return Prepare(options, (how, to) => {
                fixed (double* numbers = corners) return F.lanecull_prepare_view_from_corners(numbers, how, to);
            });
        }

        /// <summary>What half-spaces have in common: lanecull_prepare_view_from_planes().</summary>
        public View PrepareFromPlanes(Plane[] planes, ViewOptions options = null)
        {
            return Prepare(options, (how, to) => {
                fixed (Plane* first = planes)
                    return F.lanecull_prepare_view_from_planes((Native.Plane*)first, (UIntPtr)planes.Length, how, to);
            });
        }

        /// <summary>A ball: lanecull_prepare_view_from_ball().</summary>
        public View PrepareFromBall(double[] center, double radius, ViewOptions options = null)
        {
            CheckLength(center, 3, "center");
            return Prepare(options, (how, to) => {
                fixed (double* numbers = center) return F.lanecull_prepare_view_from_ball(numbers, radius, how, to);
            });
        }

        public bool IsPrepared
        {
            get { return Prepared.state != 0; }
        }

        /// <summary>Whether culls by it are exact: lanecull_view_is_exact().</summary>
        public bool IsExact
        {
            get { fixed (Native.View* view = &Prepared) return F.lanecull_view_is_exact(view) != 0; }
        }

        /// <summary>Whether it is proved that its volume has no point.</summary>
        public bool SeesNothing
        {
            get { fixed (Native.View* view = &Prepared) return F.lanecull_view_sees_nothing(view) != 0; }
        }

        private View Prepare(ViewOptions options, Preparation prepare)
        {
            Library.CheckForm();
            if (options == null) options = new ViewOptions();
            var how = new Native.ViewOptions {
                margin = options.Margin, hidden_layers = options.HiddenLayers, size_scale = options.SizeScale,
            };
            var directionalLight = new Native.DirectionalLight();
            var pointLight = new Native.PointLight();
            if (options.Eye != null) CheckLength(options.Eye, 3, "Eye");
            if (options.DirectionalLight != null)
            {
                CheckLength(options.DirectionalLight.Toward, 3, "DirectionalLight.Toward");
                for (int i = 0; i < 3; ++i) directionalLight.toward[i] = options.DirectionalLight.Toward[i];
                directionalLight.reach = options.DirectionalLight.Reach;
                how.directional_light = &directionalLight;
            }
            if (options.PointLight != null)
            {
                CheckLength(options.PointLight.At, 3, "PointLight.At");
                for (int i = 0; i < 3; ++i) pointLight.at[i] = options.PointLight.At[i];
                pointLight.range = options.PointLight.Range;
                how.point_light = &pointLight;
            }
            Plane[] sides = options.PointLight?.Sides;
            fixed (double* eye = options.Eye)
            fixed (Plane* planes = options.ClipPlanes, ofPointLight = sides)
            fixed (Native.View* to = &Prepared)
            {
                how.eye = eye;
                how.clip_planes = Planes(planes, options.ClipPlanes);
                pointLight.sides = Planes(ofPointLight, sides);
                Library.Check(prepare(&how, to));
            }
            return this;
        }

        private static Native.Planes Planes(Plane* first, Plane[] planes)
        {
            return new Native.Planes {
                items = (Native.Plane*)first, count = (UIntPtr)(planes == null ? 0 : planes.Length),
            };
        }

        private static void CheckLength(Array array, int length, string name)
        {
            if (array == null || array.Length != length)
                throw LanecullException.Invalid(name + ": must have " + length + " numbers, not " +
                                                (array == null ? 0 : array.Length));
        }
    }

    /// <summary>Where one view's results go: the arrays that are wanted, null for others. lanecull_output has their
    /// rules.</summary>
    public sealed unsafe class Output
    {
        /// <summary>Bit i % 64 of word i / 64: object i is visible. Exactly Culler.Words() words.</summary>
        public ulong[] Visible;
        /// <summary>Receives the visible objects' numbers; the first that fit.</summary>
        public uint[] Indices;
        /// <summary>As Visible: what lies wholly in the volume.</summary>
        public ulong[] Inside;
        public Native.VisibleRun[] Runs;
        /// <summary>Read: which objects are tested, as Visible has them.</summary>
        public ulong[] Candidates;
        /// <summary>The order of the lists, and for ByKey a key for each index, or by handle.</summary>
        public ListOrder Order;
        public uint[] Keys;
        /// <summary>Of a scene: receives the visible objects' handles. Takes the place of Raw.scene.</summary>
        public uint[] Handles;
        /// <summary>What is set here goes along, such as `draws`, `occluders` or `explanation`; whoever sets a pointer
        /// keeps what it points to.</summary>
        public Native.Output Raw;

        /// <summary>How many are visible, even if a list was too short for them.</summary>
        public ulong VisibleCount { get; private set; }
        public ulong RunCount { get; private set; }
        public ulong DrawCount { get; private set; }

        /// <summary>This for a call: `ofScene` is where what only scenes have is put together.</summary>
        internal Native.Output Pin(Pins pins, Native.SceneOutput* ofScene)
        {
            Native.Output to = Raw;
            if (Visible != null)
                to.visible = new Native.Words { items = (ulong*)pins.Pin(Visible), count = (UIntPtr)Visible.Length };
            if (Indices != null)
                to.indices = new Native.Indices { items = (uint*)pins.Pin(Indices), count = (UIntPtr)Indices.Length };
            if (Inside != null)
                to.inside = new Native.Words { items = (ulong*)pins.Pin(Inside), count = (UIntPtr)Inside.Length };
            if (Runs != null)
                to.runs = new Native.VisibleRuns {
                    items = (Native.VisibleRun*)pins.Pin(Runs), count = (UIntPtr)Runs.Length,
                };
            if (Candidates != null)
                to.candidates = new Native.ConstWords {
                    items = (ulong*)pins.Pin(Candidates), count = (UIntPtr)Candidates.Length,
                };
            if (Order != ListOrder.Ascending) to.order = Order;
            if (Keys != null)
                to.keys = new Native.ConstIndices { items = (uint*)pins.Pin(Keys), count = (UIntPtr)Keys.Length };
            if (Handles != null)
            {
                *ofScene = new Native.SceneOutput {
                    handles = new Native.Indices { items = (uint*)pins.Pin(Handles), count = (UIntPtr)Handles.Length },
                };
                to.scene = ofScene;
            }
            return to;
        }

        internal void Take(Native.Output* results)
        {
            VisibleCount = results->visible_count;
            RunCount = results->run_count;
            DrawCount = results->draw_count;
        }
    }

    /// <summary>Culls, with memory that it keeps from call to call. It serves one call at a time: threads that cull at
    /// the same time have one each.</summary>
    public sealed unsafe class Culler
    {
        public Method Method;
        public Isa Isa;
        /// <summary>Who runs the tasks; none: the calling thread. lanecull_runner has the rules.</summary>
        public Native.Runner Runner;

        private readonly Batch[] oneBatch = new Batch[1];
        private readonly View[] oneView = new View[1];
        private readonly Output[] oneOutput = new Output[1];
        private static readonly Batch[] none = new Batch[0];
        private readonly Pins pins = new Pins();  // of outputs' arrays, during a call
        private ulong[] room = new ulong[0];
        private int isBusy;

        /// <summary>Words of 64 objects that the batches take: the length of Output.Visible.</summary>
        public static int Words(params Batch[] batches)
        {
            int words = 0;
            foreach (Batch batch in batches) words += (batch.Count + 63) / 64;
            return words;
        }

        public void Cull(Batch batch, View view, Output output)
        {
            Begin();
            oneBatch[0] = batch;
            One(oneBatch, null, view, output);
        }

        /// <summary>Every object against every view: lanecull_cull(). outputs[i] is of views[i].</summary>
        public void Cull(Batch[] batches, View[] views, Output[] outputs)
        {
            Begin();
            Run(batches, null, views, outputs);
        }

        public void Cull(Scene scene, View view, Output output)
        {
            Begin();
            One(none, scene, view, output);
        }

        public void Cull(Scene scene, View[] views, Output[] outputs)
        {
            Begin();
            Run(none, scene, views, outputs);
        }

        private void Begin()
        {
            if (Interlocked.Exchange(ref isBusy, 1) != 0)
                throw new InvalidOperationException("a Culler serves one call at a time");
        }

        private void One(Batch[] batches, Scene scene, View view, Output output)
        {
            oneView[0] = view;
            oneOutput[0] = output;
            try
            {
                Run(batches, scene, oneView, oneOutput);
            }
            finally
            {
                oneBatch[0] = null;
                oneView[0] = null;
                oneOutput[0] = null;
            }
        }

        private void Run(Batch[] batches, Scene scene, View[] views, Output[] outputs)
        {
            int held = 0;
            try
            {
                bool isHeld = false;
                for (; held < batches.Length; ++held, isHeld = false) batches[held].Pins.DangerousAddRef(ref isHeld);
                if (scene == null)
                {
                    Run(batches, IntPtr.Zero, views, outputs);
                }
                else
                {
                    using (new Held(scene)) Run(batches, scene.DangerousGetHandle(), views, outputs);
                }
            }
            finally
            {
                while (held > 0) batches[--held].Pins.DangerousRelease();
                pins.Release();
                Volatile.Write(ref isBusy, 0);
            }
        }

        /// <summary>All are held.</summary>
        private void Run(Batch[] batches, IntPtr scene, View[] views, Output[] outputs)
        {
            if (views.Length < 1 || views.Length > 64 || outputs.Length != views.Length)
                throw LanecullException.Invalid("views: must be 1 to 64, with an output each, not " + views.Length +
                                                " and " + outputs.Length);
            // In the room: structs of batches, views and outputs, and the scratch memory.
            long before = (long)batches.Length * sizeof(Native.Batch) +
                          views.Length * (sizeof(Native.View) + sizeof(Native.Output) + sizeof(Native.SceneOutput));
            Need(before);
            long scratch;
            fixed (ulong* first = room)
            {
                Native.Objects objects = Objects(batches, scene, (Native.Batch*)first);
                int ordered = 0;
                foreach (Output output in outputs)
                    if (output.Order != ListOrder.Ascending || output.Raw.order != ListOrder.Ascending) ++ordered;
                scratch = (long)F.lanecull_scratch_bytes(&objects, (UIntPtr)views.Length) +
                          (long)F.lanecull_order_bytes(&objects, (UIntPtr)ordered);
            }
            Need(before + scratch);
            fixed (ulong* first = room)
            {
                var call = new Native.CullCall { objects = Objects(batches, scene, (Native.Batch*)first) };
                var viewsHere = (Native.View*)((Native.Batch*)first + batches.Length);
                var outputsHere = (Native.Output*)(viewsHere + views.Length);
                var ofScenes = (Native.SceneOutput*)(outputsHere + views.Length);
                for (int v = 0; v < views.Length; ++v)
                {
                    viewsHere[v] = views[v].Prepared;
                    outputsHere[v] = outputs[v].Pin(pins, ofScenes + v);
                }
                call.views = new Native.Views { items = viewsHere, count = (UIntPtr)views.Length };
                call.outputs = new Native.Outputs { items = outputsHere, count = (UIntPtr)views.Length };
                call.scratch = new Native.Memory { first = ofScenes + views.Length, bytes = (UIntPtr)scratch };
                call.options.method = Method;
                call.options.isa = Isa;
                call.options.runner = Runner;
                Library.Check(F.lanecull_cull(&call));
                for (int v = 0; v < views.Length; ++v) outputs[v].Take(outputsHere + v);
            }
        }

        private static Native.Objects Objects(Batch[] batches, IntPtr scene, Native.Batch* here)
        {
            for (int b = 0; b < batches.Length; ++b) here[b] = batches[b].Raw;
            return new Native.Objects {
                batches = new Native.Batches { items = here, count = (UIntPtr)batches.Length }, scene = (void*)scene,
            };
        }

        private void Need(long bytes)
        {
            if (room.Length * 8L < bytes) room = new ulong[(bytes + bytes / 4) / 8 + 1];
        }
    }

    /// <summary>Objects, owned and ordered, that are known by handles: lanecull_scene. Culls may run at the same time;
    /// edits need the scene to themselves.</summary>
    public sealed unsafe class Scene : SafeHandle
    {
        public Scene() : base(IntPtr.Zero, true)
        {
            Library.CheckForm();
            SetHandle((IntPtr)F.lanecull_create_scene());
            if (IsInvalid) throw new OutOfMemoryException();
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            F.lanecull_destroy_scene((void*)handle);
            return true;
        }

        /// <summary>Adds a copy of the batch's objects; their handles. `origin`: three numbers, what coordinates are
        /// relative to.</summary>
        public uint[] Add(Batch batch, Mobility mobility = Mobility.Fixed, double[] origin = null)
        {
            var handles = new uint[batch.Count];
            var options = new Native.AddOptions { mobility = mobility };
            for (int i = 0; origin != null && i < 3; ++i) options.origin[i] = origin[i];
            Edit(batch, handles, (scene, objects, first, count) => {
                Native.AddOptions how = options;
                return F.lanecull_scene_add(scene, objects, (UIntPtr)1, &how, null, first, count);
            });
            return handles;
        }

        public void Remove(uint[] handles)
        {
            Edit(null, handles, (scene, objects, first, count) => F.lanecull_scene_remove(scene, first, count));
        }

        /// <summary>Object i of the batch takes the place of handles[i].</summary>
        public void Replace(uint[] handles, Batch batch)
        {
            Edit(batch, handles,
                 (scene, objects, first, count) => F.lanecull_scene_replace(scene, first, count, objects));
        }

        /// <summary>Object i of the batch says where handles[i], of the same kind, is from now on.</summary>
        public void Place(uint[] handles, Batch batch)
        {
            Edit(batch, handles,
                 (scene, objects, first, count) => F.lanecull_scene_place(scene, first, count, objects, null));
        }

        /// <summary>Adds (x[i], y[i], z[i]) to the coordinates of handles[i].</summary>
        public void Move(uint[] handles, float[] x, float[] y, float[] z)
        {
            if (x.Length != handles.Length || y.Length != handles.Length || z.Length != handles.Length)
                throw LanecullException.Invalid("x, y, z: must have " + handles.Length + " numbers, one a handle");
            Edit(null, handles, (scene, objects, first, count) => {
                fixed (float* by_x = x, by_y = y, by_z = z)
                    return F.lanecull_scene_move(scene, first, count, by_x, by_y, by_z);
            });
        }

        /// <summary>Must be called between edits and culls.</summary>
        public void Refit(Refit refit = Lanecull.Refit.Tight)
        {
            using (new Held(this)) Library.Check(F.lanecull_scene_refit((void*)handle, refit, null));
        }

        /// <summary>Moves objects into better blocks for so long; true when all have been read.</summary>
        public bool RebuildWithin(TimeSpan time)
        {
            Native.PartialRebuild done;
            using (new Held(this))
                Library.Check(F.lanecull_scene_rebuild_within((void*)handle, (ulong)(time.Ticks * 100), &done));
            return done.all_seen != 0;
        }

        /// <summary>Sorts everything again.</summary>
        public void Rebuild()
        {
            using (new Held(this)) Library.Check(F.lanecull_scene_rebuild((void*)handle, null));
        }

        public bool IsStale
        {
            get { using (new Held(this)) return F.lanecull_scene_is_stale((void*)handle) != 0; }
        }

        public long Count
        {
            get { using (new Held(this)) return (long)F.lanecull_scene_object_count((void*)handle); }
        }

        /// <summary>The length of Output.Visible, in words of 64 slots.</summary>
        public int Words
        {
            get { using (new Held(this)) return (int)(F.lanecull_scene_slot_count((void*)handle) / 64); }
        }

        /// <summary>The object's place in the bits, which edits change.</summary>
        public uint SlotOf(uint of)
        {
            uint slot;
            using (new Held(this)) Library.Check(F.lanecull_scene_slot_of((void*)handle, of, &slot));
            return slot;
        }

        public void Save(string path)
        {
            using (new Held(this))
            fixed (byte* text = Encoding.UTF8.GetBytes(path + "\0"))
                Library.Check(F.lanecull_scene_save((void*)handle, text));
        }

        /// <summary>Reads such a file, whose objects replace those that are here; a failure changes nothing.</summary>
        public void Load(string path)
        {
            using (new Held(this))
            fixed (byte* text = Encoding.UTF8.GetBytes(path + "\0"))
                Library.Check(F.lanecull_scene_load((void*)handle, text, null));
        }

        private delegate Native.Status Edition(void* scene, Native.Batch* objects, uint* handles, UIntPtr count);

        private void Edit(Batch batch, uint[] handles, Edition edit)
        {
            using (new Held(this))
            fixed (uint* first = handles)
            {
                if (batch == null)
                {
                    Library.Check(edit((void*)handle, null, first, (UIntPtr)handles.Length));
                    return;
                }
                using (new Held(batch.Pins))
                fixed (Native.Batch* objects = &batch.Raw)
                    Library.Check(edit((void*)handle, objects, first, (UIntPtr)handles.Length));
            }
        }
    }
}
