# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A worker that atheris guides: inputs that reach new code are changed further.

Every other change is libFuzzer's own, of bytes; the rest are new inputs of the target's generator.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
import sys

import atheris

with atheris.instrument_imports(include=['hrdf_ros']):
    from fuzz.seeds import seeds_of
    from fuzz.targets import TARGETS
    from fuzz.worker import MAX_INPUT, prepare, Runner

_SEEDS = 300


def main() -> None:
    """Run: target, seed, seconds, file of the state, directory for what is found."""
    name, seed, seconds, file, directory = sys.argv[1:]
    rng = Random(f'{name} {seed} guided')
    generate = TARGETS[name].generate
    corpus = Path(directory, f'corpus-{name}')
    corpus.mkdir(exist_ok=True)
    for seed_file in seeds_of(name):
        (corpus / seed_file.name).write_bytes(seed_file.read_bytes())
    for index in range(_SEEDS):
        (corpus / f'seed-{index}').write_bytes(generate(rng))

    def change(data: bytes, most: int, _: int) -> bytes:
        changed = atheris.Mutate(data, most) if rng.random() < 0.5 else generate(rng)
        return bytes(changed[:most])

    prepare()
    options = [f'-max_total_time={int(float(seconds))}', f'-seed={seed}', '-verbosity=0',
               f'-max_len={min(MAX_INPUT, 1 << 16)}', '-timeout=60', '-rss_limit_mb=0']
    atheris.Setup(
        [sys.argv[0], *options, str(corpus)], Runner(name, Path(file), Path(directory)),
        custom_mutator=change)
    atheris.Fuzz()


if __name__ == '__main__':
    main()
