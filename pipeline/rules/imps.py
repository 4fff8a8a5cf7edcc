"""International match points: Law 78B, and the scale in use before September 1962."""

from bisect import bisect_right
from typing import Final

from schemas.policies import ImpScale
from schemas.terms import Imps, Points

_FLOORS: Final = {
    ImpScale.WBF_1962: (
        *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
        *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
    ),
    ImpScale.PRE_1962: (20, 70, 140, 220, 350, 500, 750, 1000, 1250, 1500, 2000, 2500, 3000, 3500, 4000),
}


def imps(difference: Points, scale: ImpScale = ImpScale.WBF_1962) -> Imps:
    """Law 78B: as many IMPs as floors reached by the difference, with its sign.

    The printed bands leave gaps between the tens; a difference in a gap belongs to the band below.

    >>> imps(Points(420)), imps(Points(430)), imps(Points(-750))
    (9, 10, -13)
    """
    size = bisect_right(_FLOORS[scale], abs(difference))
    return Imps(size if difference >= 0 else -size)
