# The two commands of the README. Both set up what they need, below .venv (see tools/environment.py).

SECONDS =

.PHONY: demo test benchmark soak

demo:
	@python3 tools/environment.py live
	@. .venv/setup.sh && exec python -m hrdf_ros.node.demo $(if $(SECONDS),--seconds $(SECONDS))

test:
	@python3 tools/environment.py all
	@python3 tools/run_tests.py

# Measures everything beside its peers; writes docs/benchmarks.md. Takes about ten minutes.
benchmark:
	@python3 tools/environment.py live
	@python3 benchmark/report.py

# Floods the hot path and a live node, looks whether anything grows; writes docs/soak.md.
soak:
	@python3 tools/environment.py live
	@. .venv/setup.sh && exec python test/soak/report.py $(if $(MINUTES),--minutes $(MINUTES))
