// tools/csharp: Tests.exe CASES RECORD, a file of tests/conformance/pack_cases and tests/c/abi.txt.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Lanecull;
using Native = Lanecull.Native;

static unsafe class Tests
{
    private static int failures;
    private static readonly Random random = new Random(1);

    private static readonly double[] matrix = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0 };
    private static readonly View camera = new View().Prepare(matrix, ClipSpace.Vulkan);

    private static void Check(bool isSo, string what, [CallerLineNumber] int line = 0)
    {
        if (isSo) return;
        ++failures;
        Console.WriteLine("Tests.cs:" + line + ": not so: " + what);
    }

    private static void Refused<E>(Action act, string sentence, [CallerLineNumber] int line = 0) where E : Exception
    {
        try
        {
            act();
        }
        catch (E caught)
        {
            Check(caught.Message.Contains(sentence), "'" + sentence + "' in '" + caught.Message + "'", line);
            return;
        }
        Check(false, "refused: " + sentence, line);
    }

    private static void Refused(Action act, string sentence, [CallerLineNumber] int line = 0)
    {
        Refused<LanecullException>(act, sentence, line);
    }

    private static float[] Numbers(int count, float from, float to)
    {
        return Enumerable.Range(0, count).Select(_ => (float)(from + (to - from) * random.NextDouble())).ToArray();
    }

    private static Batch Balls(int count)
    {
        return Batch.Spheres(Numbers(count, -20, 20), Numbers(count, -20, 20), Numbers(count, -20, 20),
                             Numbers(count, 0, 2));
    }

    /// What the view sees of the batch.
    private static ulong[] Bits(Batch batch, View view)
    {
        var output = new Output { Visible = new ulong[Culler.Words(batch)] };
        new Culler().Cull(batch, view, output);
        return output.Visible;
    }

    private static int Main(string[] arguments)
    {
        Layouts(arguments[1]);
        Labelled(arguments[0]);
        Kinds();
        Lists();
        Lengths();
        Views();
        Scenes();
        Disposed();
        MovedByTheCollector();
        LetGo();
        InUse();
        return failures == 0 ? 0 : 1;
    }

    /// Structs are laid out as the record says.
    private static void Layouts(string record)
    {
        int structs = 0;
        Type type = null;
        foreach (string line in File.ReadLines(record))
        {
            string[] words = line.Split(' ');
            if (words[0] == "struct" || words[0] == "union")
            {
                string name = string.Concat(words[1].Split('_').Skip(1)
                                                .Select(word => word.Substring(0, 1).ToUpper() + word.Substring(1)));
                type = typeof(Native.Batch).Assembly.GetType("Lanecull.Native." + name);
                if (type == null) continue;
                ++structs;
                Check(Marshal.SizeOf(type) == int.Parse(words[2]), line + ", not " + Marshal.SizeOf(type));
            }
            else if (type != null && line.StartsWith("  ") && line.Contains(" at "))
            {
                string name = words[2];
                if (type.GetField(name) == null) name += "0";  // arrays of structs are fields of their own
                Check(Marshal.OffsetOf(type, name) == new IntPtr(int.Parse(words[4].TrimEnd(','))), type + ": " + line);
            }
            else
            {
                type = null;
            }
        }
        Check(structs == typeof(Native.Batch).Assembly.GetTypes().Count(
                             one => one.Namespace == "Lanecull.Native" && one.IsValueType && !one.IsNested),
              structs + " structs are recorded");
        Check(structs > 100, structs + " structs");
    }

    /// What shares a point with its view is visible, what is apart is culled: on every set that runs here.
    private static void Labelled(string cases)
    {
        var sets = Enum.GetValues(typeof(Isa)).Cast<Isa>()
                       .Where(isa => isa != Isa.Automatic && Library.IsRunnable(isa)).ToArray();
        Check(sets.Contains(Isa.Scalar), "plain C++ runs");
        int verdicts = 0;
        var culler = new Culler();
        using (var file = new BinaryReader(File.OpenRead(cases)))
        {
            uint count = file.ReadUInt32();
            Check(count > 2000, count + " cases");
            for (uint i = 0; i < count; ++i)
            {
                uint expect = file.ReadUInt32(), shape = file.ReadUInt32(), viewKind = file.ReadUInt32();
                uint light = file.ReadUInt32(), vertices = file.ReadUInt32();
                Func<int, float[]> read = n => Enumerable.Range(0, n).Select(_ => file.ReadSingle()).ToArray();
                float[] numbers = read(viewKind == 2 ? 24 : 16), lit = read(light == 1 ? 4 : light == 2 ? 3 : 0);
                float[] sweep = read(3), n_ = read(shape < 5 ? new[] { 4, 6, 6, 15, 7 }[shape] : 3 * (int)vertices);
                var options = new ViewOptions();
                double[] place = lit.Take(3).Select(x => (double)x).ToArray();
                if (light == 1) options.DirectionalLight = new DirectionalLight { Toward = place, Reach = lit[3] };
                if (light == 2) options.PointLight = new PointLight { At = place };
                double[] corners = numbers.Select(x => (double)x).ToArray();
                var space = new ClipSpace {
                    Layout = MatrixLayout.RowMajor,
                    Depth = viewKind == 1 ? DepthRange.MinusOneToOne : DepthRange.ZeroToOne,
                };
                var view = viewKind == 2 ? new View().PrepareFromCorners(corners, options)
                                         : new View().Prepare(numbers, space, options);
                using (Batch batch = Case(shape, n_, (int)vertices, sweep))
                    foreach (Isa isa in sets)
                        foreach (Method method in new[] { Method.Automatic, Method.Planes })
                        {
                            culler.Isa = isa;
                            culler.Method = method;
                            var output = new Output { Visible = new ulong[1] };
                            culler.Cull(batch, view, output);
                            ++verdicts;
                            bool isVisible = output.Visible[0] == 1;
                            Check(output.VisibleCount == output.Visible[0], "case " + i + " is counted");
                            Check(isVisible || expect != 1, "case " + i + " is visible");
                            Check(!isVisible || expect != 2 || method == Method.Planes, "case " + i + " is culled");
                        }
            }
            Check(file.BaseStream.Position == file.BaseStream.Length, "all is read");
            Console.WriteLine(count + " cases, " + verdicts + " verdicts");
        }
    }

    private static Batch Case(uint shape, float[] n, int vertices, float[] sweep)
    {
        Attributes attributes = sweep.All(x => x == 0) ? null : new Attributes {
            SweepX = new[] { sweep[0] }, SweepY = new[] { sweep[1] }, SweepZ = new[] { sweep[2] },
        };
        float[][] one = n.Select(x => new[] { x }).ToArray();
        switch (shape)
        {
            case 0:
                return Batch.Spheres(one[0], one[1], one[2], one[3], attributes);
            case 1:
                return Batch.Boxes(one[0], one[1], one[2], one[3], one[4], one[5], attributes);
            case 2:
                return Batch.CenteredBoxes(one[0], one[1], one[2], one[3], one[4], one[5], attributes);
            case 3:
                return Batch.OrientedBoxes(one[0], one[1], one[2], n.Skip(12).ToArray(), n.Skip(3).Take(9).ToArray(),
                                           attributes: attributes);
            case 4:
                return Batch.Capsules(one[0], one[1], one[2], one[3], one[4], one[5], one[6], attributes);
        }
        Func<int, float[]> axis = k => Enumerable.Range(0, vertices).Select(v => n[3 * v + k]).ToArray();
        var hull = new Hull(axis(0), axis(1), axis(2));
        return Batch.HullInstances(new Transforms(inPlace, TransformLayout.Rows3x4), new[] { hull },
                                   attributes: attributes);
    }

    private static readonly float[] inPlace = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };

    /// Boxes are the same boxes whatever they are given as.
    private static void Kinds()
    {
        const int count = 500;
        float[] x = Numbers(count, -20, 20), y = Numbers(count, -20, 20), z = Numbers(count, -20, 20);
        float[] half = Numbers(count, 0, 2), none = new float[count];
        Func<float[], float, float[]> ends = (at, sign) => at.Select((a, i) => a + sign * half[i]).ToArray();
        Func<Func<int, float[]>, float[]> each = of => Enumerable.Range(0, count).SelectMany(of).ToArray();
        float[] transforms = each(i => new[] { half[i], 0, 0, x[i], 0, half[i], 0, y[i], 0, 0, half[i], z[i], -1, -1 });
        float[] minus = { -1 }, one = { 1 };
        float[] corners = { -1, 1 };
        var cube = new Hull(Enumerable.Range(0, 8).Select(i => corners[i % 2]).ToArray(),
                            Enumerable.Range(0, 8).Select(i => corners[i / 2 % 2]).ToArray(),
                            Enumerable.Range(0, 8).Select(i => corners[i / 4]).ToArray());
        var placed = new Transforms(transforms, TransformLayout.Rows3x4, 56);
        var first = new uint[count];
        ulong[] expected = null;
        foreach (Batch batch in new[] {
                     Batch.CenteredBoxes(x, y, z, half, half, half),
                     Batch.Boxes(ends(x, -1), ends(y, -1), ends(z, -1), ends(x, 1), ends(y, 1), ends(z, 1)),
                     Batch.OrientedBoxes(x, y, z, each(i => new[] { half[i], half[i], half[i] }),
                                         each(i => new float[] { 1, 0, 0, 0, 1, 0, 0, 0, 1 })),
                     Batch.OrientedBoxes(x, y, z, each(i => new[] { half[i], half[i], half[i] }),
                                         quaternions: each(i => new float[] { 0, 0, 0, 1 }),
                                         boundingRadius: half.Select(r => 2 * r).ToArray()),
                     Batch.HullInstances(placed, new[] { cube, cube }, first),
                     Batch.BoxInstances(placed, minus, minus, minus, one, one, one, first),
                     // And from memory that is not an array.
                     Batch.CenteredBoxes(Copy(x), Copy(y), Copy(z), Copy(half), Copy(half), Copy(half)),
                 })
            using (batch)
            {
                Check(batch.Count == count, batch.Raw.kind + ": its objects");
                ulong[] found = Bits(batch, camera);
                expected = expected ?? found;
                Check(found.SequenceEqual(expected), batch.Raw.kind + " of the same boxes");
            }
        Check(expected.Any(word => word != 0), "some are visible");
        float[] turns = each(i => new float[] { 0, 0, 0, 2 }), halves = each(i => new[] { half[i], half[i], half[i] });
        using (var balls = Batch.Spheres(x, y, z, half))
        using (var bare = Batch.Ellipsoids(x, y, z, halves, turns))
        using (var bounded = Batch.Ellipsoids(x, y, z, halves, turns, half))
        using (var cylinders = Batch.Cylinders(x, y, ends(z, -1), x, y, ends(z, 1.5f), half))
        using (var capsules = Batch.Capsules(x, y, ends(z, -1), x, y, ends(z, 1.5f), half))
        using (var cones = Batch.Cones(x, y, ends(z, -1), x, y, ends(z, 1.5f), half))
        using (var lamps = Batch.Cones(x, y, ends(z, -1), x, y, ends(z, 1.5f), half, end: ConeEnd.Round))
        {
            ulong[] round = Bits(balls, camera), flat = Bits(cylinders, camera), whole = Bits(capsules, camera);
            ulong[] pointed = Bits(cones, camera), capped = Bits(lamps, camera);
            Check(Bits(bare, camera).SequenceEqual(round), "ellipsoids that are balls");
            Check(Bits(bounded, camera).SequenceEqual(round), "ellipsoids with a bounding radius");
            // The ball lies in the cylinder around it, and that in its capsule.
            Check(round.Zip(flat, (a, b) => (a & ~b) == 0).All(within => within), "cylinders around balls");
            Check(flat.Zip(whole, (a, b) => (a & ~b) == 0).All(within => within), "capsules around cylinders");
            Check(pointed.Zip(flat, (a, b) => (a & ~b) == 0).All(within => within), "cylinders around cones");
            Check(pointed.Zip(capped, (a, b) => (a & ~b) == 0).All(within => within), "round bases around flat ones");
            Check(capped.Zip(whole, (a, b) => (a & ~b) == 0).All(within => within), "capsules around round cones");
            Check(pointed.Any(word => word != 0), "some cones are visible");
        }
        using (var hidden = Batch.Spheres(x, y, z, half, new Attributes { Layers = new uint[count] }))
            Check(Bits(hidden, camera).All(word => word == 0), "no object without layers");
        using (var always = Batch.Spheres(x, y, z, half,
                                          new Attributes { Flags = first.Select(_ => 2u).ToArray(), Margin = none }))
            Check(Bits(always, camera)[0] == ulong.MaxValue, "objects that are always visible");
    }

    private static Stream<float> Copy(float[] numbers)
    {
        IntPtr copy = Marshal.AllocHGlobal(4 * numbers.Length);
        Marshal.Copy(numbers, 0, copy, numbers.Length);
        return new Stream<float>(copy, numbers.Length);
    }

    /// Several batches and views at once; lists, counts, candidates.
    private static void Lists()
    {
        var ball = new View().PrepareFromBall(new double[3], 10);
        float[] x = Numbers(100, -20, 20), y = Numbers(100, -20, 20), z = Numbers(100, -20, 20), r = Numbers(100, 0, 2);
        using (Batch a = Batch.Spheres(x, y, z, r), b = Batch.Spheres(x, y, z, r, firstIndex: 1000))
        {
            ulong[] seen = Bits(a, camera), near = Bits(a, ball);
            var outputs = new[] {
                new Output { Visible = new ulong[4], Indices = new uint[200], Runs = new Native.VisibleRun[200] },
                new Output { Visible = new ulong[4], Inside = new ulong[4], Indices = new uint[1] },
            };
            var culler = new Culler();
            culler.Cull(new[] { a, b }, new[] { camera, ball }, outputs);
            Check(outputs[0].Visible.SequenceEqual(seen.Concat(seen)), "the camera's bits");
            Check(outputs[1].Visible.SequenceEqual(near.Concat(near)), "the ball's bits");
            var listed = Enumerable.Range(0, 100).Where(i => (seen[i / 64] >> i % 64 & 1) != 0).ToArray();
            uint[] expected = listed.Concat(listed.Select(i => i + 1000)).Select(i => (uint)i).ToArray();
            Check(outputs[0].Indices.Take((int)outputs[0].VisibleCount).SequenceEqual(expected), "indices");
            Check((int)outputs[0].VisibleCount == expected.Length && expected.Length > 2, "how many");
            Check(outputs[0].Runs.Take((int)outputs[0].RunCount).Sum(run => run.count) == expected.Length, "runs");
            Check(outputs[1].VisibleCount > 1 && outputs[1].RunCount == 0, "counts of what is not listed");

            var few = new Output { Candidates = new ulong[] { 5, 0, 0, 0 }, Visible = new ulong[4] };
            culler.Cull(new[] { a, b }, new[] { camera }, new[] { few });
            Check(few.Visible[0] == (seen[0] & 5) && few.Visible[2] == 0, "candidates");

            Func<uint, float> depth = i => -z[i % 1000];
            var byDepth = new Output { Indices = new uint[200], Order = ListOrder.FrontToBack };
            var byKey = new Output {
                Indices = new uint[200], Order = ListOrder.ByKey,
                Keys = Enumerable.Range(0, 1100).Select(i => (uint)i % 2).ToArray(),
            };
            culler.Cull(new[] { a, b }, new[] { camera, camera }, new[] { byDepth, byKey });
            uint[] sorted = expected.OrderBy(depth).ToArray();
            Check(byDepth.Indices.Take(expected.Length).SequenceEqual(sorted), "front to back");
            Check(byKey.Indices.Take(expected.Length).SequenceEqual(sorted.OrderBy(i => i % 2)), "by key");

            var why = new Native.Explanation();
            few.Raw.explanation = &why;
            culler.Cull(new[] { a, b }, new[] { camera }, new[] { few });
            Check(why.counts.by_reason[(int)Reason.CulledCandidate] == 198, "what is set in Raw goes along");

            Refused(() => culler.Cull(a, camera, new Output { Visible = new ulong[3] }),
                    "outputs[0].visible: must have no words or 2 (visibility_words()), not 3");
            Refused(() => culler.Cull(new[] { a }, new[] { camera }, new Output[0]), "views: must be 1 to 64");
            Refused(() => culler.Cull(new[] { a }, new View[65], new Output[65]), "views: must be 1 to 64");
            Refused(() => culler.Cull(a, new View(), new Output()), "views[0]");
            Refused<NullReferenceException>(() => culler.Cull(new Batch[] { a, null }, new[] { camera }, outputs), "");
            var both = new ulong[2];
            Refused(() => culler.Cull(a, camera, new Output { Visible = both, Inside = both }), "overlap");
            culler.Cull(a, camera, new Output());
        }
    }

    /// Arrays of other lengths make no batch.
    private static void Lengths()
    {
        float[] two = new float[2], three = new float[3];
        Action<Action> shorter = act => Refused(act, " numbers, not ");
        Func<int, int, float[]> but = (i, short_) => i == short_ ? two : three;
        for (int s = 1; s < 7; ++s)
        {
            Func<int, float[]> at = i => but(i, s);
            if (s < 4) shorter(() => Batch.Spheres(at(0), at(1), at(2), at(3)));
            if (s < 6) shorter(() => Batch.Boxes(at(0), at(1), at(2), at(3), at(4), at(5)));
            if (s < 6) shorter(() => Batch.CenteredBoxes(at(0), at(1), at(2), at(3), at(4), at(5)));
            shorter(() => Batch.Capsules(at(0), at(1), at(2), at(3), at(4), at(5), at(6)));
        }
        float[] nine = new float[9], many = new float[27];
        shorter(() => Batch.OrientedBoxes(three, three, three, two, many));
        shorter(() => Batch.OrientedBoxes(three, three, three, nine, nine));
        shorter(() => Batch.OrientedBoxes(three, three, three, nine, quaternions: nine));
        shorter(() => Batch.OrientedBoxes(three, three, three, nine, many, boundingRadius: two));
        shorter(() => new Hull(three, three, two));
        shorter(() => new Hull(three, two, three));
        var hull = new[] { new Hull(three, three, three) };
        var transforms = new Transforms(new float[36], TransformLayout.Columns3x4);
        shorter(() => Batch.HullInstances(transforms, hull, new uint[2]));
        shorter(() => Batch.BoxInstances(transforms, two, two, two, two, two, three, new uint[3]));
        shorter(() => Batch.BoxInstances(transforms, two, two, two, two, two, two, new uint[4]));
        Check(new Transforms(new float[11], TransformLayout.Rows3x4).Count == 0, "no whole transform");
        Check(new Transforms(new float[31], TransformLayout.Rows3x4, 80).Count == 1, "one, and most of another");
        Check(new Transforms(new float[32], TransformLayout.Rows3x4, 80).Count == 2, "two");
        Check(new Transforms(new float[35], TransformLayout.Rows4x4, 8).Count == 2, "no less than one after the other");
        Refused(() => new Transforms(two, TransformLayout.Rows3x4, 5), "strideBytes");
        foreach (string name in typeof(Attributes).GetFields().Select(field => field.Name))
        {
            var attributes = new Attributes();
            FieldInfo field = typeof(Attributes).GetField(name);
            field.SetValue(attributes, field.FieldType == typeof(Stream<float>) ? (object)new Stream<float>(two)
                                                                                : new Stream<uint>(new uint[2]));
            Refused(() => Batch.Spheres(three, three, three, three, attributes), name + ": must have 3 numbers, not 2");
        }
        Refused(() => new Stream<float>(IntPtr.Zero, 3), "a stream");
        // What is not given at all, the library refuses.
        using (Batch without = Batch.Spheres(three, three, three, null)) Refused(() => Bits(without, camera), "null");
        using (Batch without = Batch.BoxInstances(transforms, two, two, two, two, two, two))
            Refused(() => Bits(without, camera), "box");
        using (Batch one = Batch.BoxInstances(default(Transforms), two, two, two, two, two, two)) Bits(one, camera);
    }

    private static void Views()
    {
        Refused(() => new View().Prepare(new float[9], ClipSpace.Vulkan), "clipFromWorld: must have 16 numbers, not 9");
        Refused(() => new View().Prepare((double[])null, ClipSpace.Vulkan), "clipFromWorld: must have 16 numbers");
        Refused(() => new View().PrepareFromCorners(matrix), "corners: must have 24 numbers, not 16");
        Refused(() => new View().PrepareFromBall(new double[3], -1), "radius");
        Refused(() => new View().Prepare(matrix, ClipSpace.Vulkan, new ViewOptions { Eye = new double[2] }), "Eye");
        Refused(() => new View().PrepareFromPlanes(new Plane[0]), "planes");
        var view = new View();
        Check(!view.IsPrepared && camera.IsPrepared && camera.IsExact && !camera.SeesNothing, "what views say");
        Refused(() => view.Prepare(new double[16], ClipSpace.OpenGL), "clip_from_world");
        Check(!view.IsPrepared, "a view that could not be prepared");
        view.PrepareStereo(matrix, matrix, ClipSpace.Vulkan);
        Check(view.IsPrepared, "a stereo pair");
        view.PrepareFromPlanes(new[] { new Plane { X = 1, Offset = 3 } });
        using (Batch at = Batch.Spheres(new float[] { -5, -3, 0 }, new float[3], new float[3], new float[3]))
        {
            Check(Bits(at, view)[0] == 6, "a plane");
            view.Prepare(matrix, new ClipSpace { OriginZ = 5 },
                         new ViewOptions { ClipPlanes = new[] { new Plane { X = 1, Offset = 3 } } });
            Check(Bits(at, view)[0] == 6, "a camera at its origin, and a clip plane");
            view.Prepare(matrix, new ClipSpace { OriginZ = 5 }, new ViewOptions {
                PointLight = new PointLight { At = new double[] { 0, 0, 5 }, Range = 4, Sides = new Plane[0] },
            });
            Check(Bits(at, view)[0] == 0, "a light that does not reach them");
        }
    }

    private static void Scenes()
    {
        var culler = new Culler();
        using (var scene = new Scene())
        using (Batch balls = Balls(1000), small = Balls(3))
        {
            uint[] handles = scene.Add(balls, Mobility.Moving);
            Check(scene.Count == 1000 && handles.Distinct().Count() == 1000, "what was added");
            if (scene.IsStale) scene.Refit();
            var output = new Output { Visible = new ulong[scene.Words], Handles = new uint[1000] };
            culler.Cull(scene, camera, output);
            ulong[] bits = Bits(balls, camera);
            var expected = handles.Where((_, i) => (bits[i / 64] >> i % 64 & 1) != 0).OrderBy(h => h);
            Check(output.Handles.Take((int)output.VisibleCount).OrderBy(h => h).SequenceEqual(expected), "handles");
            uint slot = scene.SlotOf(expected.First());
            Check((output.Visible[slot / 64] >> (int)(slot % 64) & 1) != 0, "an object's slot");

            uint[] three = handles.Take(3).ToArray();
            float[] away = { 1e6f, 1e6f, 1e6f };
            scene.Move(three, away, away, away);
            Check(scene.IsStale, "edited");
            Refused(() => culler.Cull(scene, camera, output), "edited since the last refit");
            scene.Refit(Refit.Grown);
            scene.Place(three, small);
            scene.Replace(three, small);
            while (!scene.RebuildWithin(TimeSpan.FromMilliseconds(1))) { }
            scene.Rebuild();
            string path = Path.GetTempFileName();
            scene.Save(path);
            using (var other = new Scene())
            {
                other.Load(path);
                Check(other.Count == 1000, "loaded");
                File.Delete(path);
                Refused(() => other.Load(path), "cannot be opened");
            }
            scene.Remove(three);
            Check(scene.Count == 997, "what is left");
            Refused(() => scene.Remove(three), "handle");
            Refused(() => scene.Move(three, away, away, new float[2]), "x, y, z");
            Refused(() => scene.Place(new uint[0], small), "handle");
            Refused(() => scene.Add(small, origin: new[] { 0, 0, double.NaN }), "origin");
        }
        var closed = new Scene();
        closed.Dispose();
        closed.Dispose();
        Refused<ObjectDisposedException>(() => closed.Refit(), "");
        Refused<ObjectDisposedException>(() => culler.Cull(closed, camera, new Output()), "");
    }

    private static void Disposed()
    {
        Batch batch = Balls(10), other = Balls(10);
        batch.Dispose();
        batch.Dispose();
        Refused<ObjectDisposedException>(() => Bits(batch, camera), "");
        var culler = new Culler();
        Refused<ObjectDisposedException>(
            () => culler.Cull(new[] { other, batch }, new[] { camera }, new[] { new Output() }), "");
        other.Dispose();
        using (var scene = new Scene()) Refused<ObjectDisposedException>(() => scene.Add(batch), "");
    }

    /// The collector finds arrays in holes of its heap, that it would like to close; batches alone know them.
    private static void MovedByTheCollector()
    {
        var kept = new List<Batch>();
        var expected = new List<ulong[]>();
        var garbage = new List<float[]>();
        for (int i = 0; i < 50; ++i)
        {
            garbage.Add(new float[random.Next(2000)]);
            kept.Add(Balls(100 + i));
            garbage.Add(new float[random.Next(2000)]);
            expected.Add(Bits(kept[i], camera));
        }
        garbage.Clear();
        for (int round = 0; round < 3; ++round)
        {
            for (int i = 0; i < 2000; ++i) garbage.Add(Numbers(random.Next(100), float.NaN, 1));
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, true);
            GC.WaitForPendingFinalizers();
            garbage.RemoveRange(0, garbage.Count / 2);
        }
        for (int i = 0; i < kept.Count; ++i)
        {
            Check(Bits(kept[i], camera).SequenceEqual(expected[i]), "verdicts after collections");
            kept[i].Dispose();
        }
        Check(garbage.Count > 0, "some garbage");
    }

    /// Batches that nobody disposes of, and those that could not be made, keep no array for ever.
    private static void LetGo()
    {
        for (int i = 0; i < 1000; ++i)
        {
            var array = new float[32768];
            Batch.Spheres(array, array, array, array);
            Refused(() => Batch.Spheres(array, array, array, new float[1]), "radius");
            if (i % 100 != 99) continue;
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        GC.Collect();
        Check(GC.GetTotalMemory(true) < 60 << 20, GC.GetTotalMemory(false) + " bytes are still in use");
    }

    private delegate void Run(void* self, uint count, Native.Task* task);
    private delegate void Call(void* context, uint index);

    /// What is disposed of while a call runs stays until it ends. The runner is one of C#, on two threads.
    private static void InUse()
    {
        Batch batch = Balls(100000);
        ulong[] expected = Bits(batch, camera);
        var output = new Output { Visible = new ulong[Culler.Words(batch)] };
        var culler = new Culler();
        uint tasks = 0;
        bool isRefused = false;
        Run run = (self, count, task) => {
            batch.Dispose();
            try
            {
                culler.Cull(batch, camera, output);
            }
            catch (InvalidOperationException)
            {
                isRefused = true;
            }
            GC.Collect();
            tasks += count;
            var call = Marshal.GetDelegateForFunctionPointer<Call>(task->call);
            void* context = task->context;
            int next = 0;
            ThreadStart work = () => {
                for (int i; (i = Interlocked.Increment(ref next) - 1) < count;) call(context, (uint)i);
            };
            var other = new Thread(work);
            other.Start();
            work();
            other.Join();
        };
        culler.Runner.run = Marshal.GetFunctionPointerForDelegate(run);
        culler.Cull(batch, camera, output);
        GC.KeepAlive(run);
        Check(tasks > 1 && isRefused, "a call within a call");
        Check(output.Visible.SequenceEqual(expected), "verdicts of a batch that is disposed of meanwhile");
        culler.Runner.run = IntPtr.Zero;
        Refused<ObjectDisposedException>(() => culler.Cull(batch, camera, output), "");
        using (Batch again = Balls(5)) culler.Cull(again, camera, new Output());
    }
}
