"""What every test shares: how hard Hypothesis tries."""

import os

from hypothesis import HealthCheck, settings

# Two cores do everything at once in CI: slowness of the machine is no finding, hence no deadline.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
