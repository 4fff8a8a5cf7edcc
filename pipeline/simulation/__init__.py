"""Events that never happened: deals, people, mistakes and their pace, all from one seed."""
