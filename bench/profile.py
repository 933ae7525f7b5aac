#!/usr/bin/env python3
"""Writes a Perfetto trace of CPU samples with callstacks, for benchmarks of flamegraphs.

    bench/profile.py profile.pftrace --samples 5000000

Equal arguments give equal bytes. The callstacks are those of a random call tree, most of whose samples are in few of
its nodes, as in real profiles.
"""
import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'tests'))
from vectors import textproto  # pylint: disable=wrong-import-position

FUNCTIONS, FRAMES, BINARIES, DEEPEST = 5_000, 20_000, 40, 40
PROCESSES, THREADS = 8, 6  # threads of each


def call_tree(nodes, chance):
    """The frames from the root to each node."""
    paths = [[1]]
    while len(paths) < nodes:
        above = paths[chance.randrange(len(paths))]
        if len(above) < DEEPEST:
            paths.append([*above, 1 + chance.randrange(FRAMES)])
    return paths


def first_packet(paths, chance):
    interned = [f'function_names {{ iid: {i} str: "namespace::function_{i}(int)" }}' for i in range(1, FUNCTIONS + 1)]
    for i in range(1, BINARIES + 1):
        interned.append(f'mapping_paths {{ iid: {i} str: "lib{i}.so" }}')
        interned.append(f'mappings {{ iid: {i} start: {i << 24} end: {(i + 1) << 24} path_string_ids: {i} }}')
    for i in range(1, FRAMES + 1):
        interned.append(f'frames {{ iid: {i} function_name_id: {1 + chance.randrange(FUNCTIONS)} '
                        f'mapping_id: {1 + chance.randrange(BINARIES)} rel_pc: {16 * i} }}')
    for i, path in enumerate(paths, 1):
        interned.append(f'callstacks {{ iid: {i} {" ".join(f"frame_ids: {frame}" for frame in path)} }}')
    return textproto.encode(f'''packet {{ timestamp: 1 trusted_packet_sequence_id: 1 sequence_flags: 1
        interned_data {{ {" ".join(interned)} }}
        trace_packet_defaults {{ perf_sample_defaults {{ timebase {{ frequency: 1000 counter: SW_CPU_CLOCK }} }} }} }}''',
                            textproto.project_schema())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('output')
    parser.add_argument('--samples', type=int, default=5_000_000)
    parser.add_argument('--nodes', type=int, default=50_000, help='of the call tree')
    options = parser.parse_args()
    chance = random.Random(1)
    paths = call_tree(options.nodes, chance)
    threads = [(100 + p, 100 + p + 100 * t) for p in range(PROCESSES) for t in range(THREADS)]
    heads = []  # the fields cpu, pid, tid of a sample
    for pid, tid in threads:
        heads.append(b'\x08' + textproto.varint(tid % 4) + b'\x10' + textproto.varint(pid) + b'\x18' + textproto.varint(tid))
    stacks = [b'\x20' + textproto.varint(i + 1) + b'\x28\x02' for i in range(options.nodes)]
    sequence = b'\x50\x01\x68\x02'
    with open(options.output, 'wb') as out:
        out.write(first_packet(paths, chance))
        block = bytearray()
        for i in range(options.samples):
            stack = int(options.nodes * chance.random() ** 3)
            sample = heads[i * 7 % len(heads)] + stacks[stack]
            packet = b'\x40' + textproto.varint(1_000_000 + i * 20_000) + sequence + b'\x92\x04' + textproto.varint(len(sample)) + sample
            block += b'\x0a' + textproto.varint(len(packet)) + packet
            if len(block) > 1 << 20:
                out.write(block)
                block.clear()
        out.write(block)


if __name__ == '__main__':
    main()
