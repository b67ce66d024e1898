"""What a person is asked for each metric of a judge."""

QUESTIONS = {
    "faithfulness": "Is what the answer says supported by the passages?",
    "answer_relevancy": "Does the answer answer the question?",
    "context_precision": "Are the passages about the question, the best ones first?",
    "context_recall": "Do the passages hold what a right answer needs?",
    "citation_support": "Do the cited passages support what the answer says?",
    "relevance": "Does this passage help to answer the question?",
}
SCALE_WORDS = ("no", "in part", "yes")


def question_of(metric: str) -> str:
    """Return what a person is asked for a metric."""
    return QUESTIONS.get(metric, f"Is the answer good on {metric}?")
