"""Numbers of answers have one form, whatever fact they come from."""

from autostatistician.describe.answers import Answer, AnswerNumber, naming, number_of_record, ranged_number


def test_a_number_keeps_what_a_record_knows_and_says_null_of_the_rest() -> None:
    record = {"kind": "rise", "id": "function/rise", "number": 3.0, "unit": "target", "interval": [1.0, None],
              "probability": 0.9, "from": "2020-01-01", "to": 5.0}  # fmt: skip
    number = number_of_record(record, "It rose.")
    assert (number.fact, number.interval, number.start, number.stop) == ("rise", (1.0, None), "2020-01-01", 5.0)
    assert number.to_json() == {
        "fact": "rise", "id": "function/rise", "number": 3.0, "unit": "target", "interval": [1.0, None],
        "probability": 0.9, "at": None, "from": "2020-01-01", "to": 5.0, "sentence": "It rose.",
    }  # fmt: skip


def test_what_is_no_place_is_none() -> None:
    record = {"fact": "Course", "number": 1.0, "at": [["a", 1.0]], "from": True}
    number = number_of_record(record, "")
    assert (number.at, number.start, number.unit) == (None, None, "1")


def test_computed_numbers_have_ten_digits() -> None:
    number = ranged_number("Share", (1 / 3, float("nan"), 2.0), "", unit="%")
    assert (number.number, number.interval, number.unit) == (0.3333333333, (None, 2.0), "%")


def test_a_sentence_is_found_by_what_it_names() -> None:
    texts = ["It grows.", "More 'price', less 'sales'."]
    assert naming(texts, ["'price'"]) == texts[1]
    assert naming(texts, ["'promo'"]) == texts[0]
    assert naming([], ["'promo'"]) == ""


def test_an_answer_names_its_format_and_target() -> None:
    number = AnswerNumber(fact="rise", number=1.0, unit="target", sentence="It rose.")
    assert Answer("what", ("a < b", "It rose."), ())._repr_html_() == "<p>a &lt; b</p><p>It rose.</p>"
    told = Answer("trend", ("It rose.",), ({"fact": "rise"},), (number,), "sales").to_json()
    assert (told["format"], told["target"], told["numbers"]) == (
        "autostatistician answer 1",
        "sales",
        [number.to_json()],
    )
