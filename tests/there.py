"""What must be there, for tests that go on with it."""

from typing import TypeVar

Found = TypeVar("Found")


def there(found: Found | None) -> Found:
    """What was found; nothing fails the test."""
    assert found is not None
    return found
