"""One glossary: what is made of it, and that a word has one meaning and a meaning one word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from mlm_helpers import conventions, inputs
from mlm_helpers.catalogue import METRICS
from mlm_helpers.course.documents import DOCUMENTS
from tools import glossary, notebooks

PATHS = {path.stem: path for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))}
TERMS = glossary.terms()
BY_NAME = {name: term for term in TERMS for name in term.names}
ALL = {name: notebooks.read(path) for name, path in PATHS.items()}
each_notebook = pytest.mark.parametrize("name", PATHS)


def body(name: str) -> str:
    """All that a notebook says and shows, but for its line *Words*."""
    return glossary.LINE.sub("", "\n\n".join(str(cell) for cell in ALL[name].cells))


# --- what is made of it


@each_notebook
def test_the_line_of_words_is_what_the_glossary_makes(name: str) -> None:
    assert glossary.renewed(PATHS[name]) == PATHS[name].read_bytes(), "run: make readme"
    (line,) = glossary.LINE.findall(ALL[name].cells[0].source)
    assert line.count("**") >= 2 or "In the documents" in line


def test_a_line_of_words() -> None:
    text = "The **exact match ratio** is read off the rows."
    assert glossary.words("01_exact_match", text) == (
        "*Words.* **Zero-one loss** (0-1损失): the share of samples with at least one mistake."
        " In the documents: exact match 绝对匹配率, 准确率. All words: [GLOSSARY](../GLOSSARY.md)."
    )


# --- as the documents use them: a second list, by document

READ = {
    "partial_credit": """多標籤分類 multi-label classification, 多類別分類 multi-class classification, 評估指標 metric,
        資料 sample, 標籤 label, 標準答案 truth, 預測 prediction, 部份正確 partial credit, 交集 intersection,
        聯集 union, 準確率 accuracy (Jaccard), accuracy accuracy (Jaccard), 精確率 precision, 召回率 recall,
        F1-score F1, 平均調和數 harmonic mean""",
    "sklearn_guide": """多标签分类 multi-label classification, 评估指标 metric, 样本 sample, 标签 label, 真实值 truth,
        预测值 prediction, 部分正确 partial credit, 绝对匹配率 exact match, 准确率 exact match, accuracy exact match,
        0-1损失 zero-one loss, 精确率 precision, 平均精确率 precision, 召回率 recall, F1值 F1,
        Hamming_score accuracy (Jaccard), 准确率 accuracy (Jaccard), accuracy accuracy (Jaccard),
        海明距离 Hamming loss, 杰卡德相似系数 Jaccard index""",
    "macro_micro": """多ラベル分類 multi-label classification, 評価指標 metric, ラベル label, レコード sample,
        予測 prediction, 真値 truth, F値 F1, macro-F1 macro-F1, micro-F1 micro-F1, 不均衡 imbalance""",
    "formulas": """多标签分类 multi-label classification, 指标 metric, 样本 sample, 标签 label, 真实标签 truth,
        预测 prediction, 准确率 label-wise accuracy, accuracy label-wise accuracy, 精确度 precision, 召回率 recall,
        F1_分数 F1, 调和平均 harmonic mean, 宏观 macro, 微观 micro, 宏观_F1_分数 macro-F1, 微观_F1_分数 micro-F1,
        真正例 hit, 假正例 false alarm, 汉明损失 Hamming loss""",
    "ranking": """多标签分类 multi-label classification, 单标签分类 multi-class classification, 评价指标 metric,
        样本 sample, 标签 label, 预测 prediction, 预测概率 score, 汉明损失 Hamming loss, 覆盖率 coverage,
        1-错误率 one-error, 排序损失 ranking loss, 排名 rank, 平均精确率 average precision""",
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.id)
def test_the_words_are_the_documents(document) -> None:
    listed = {(term.name, word) for term in TERMS for word in term.called.get(document.id, [])}
    pairs = (pair.split(maxsplit=1) for pair in READ[document.id].split(","))
    assert listed == {(term, word.replace("_", " ")) for word, term in pairs}


def misnamed(names: dict[str, dict[str, str]]) -> Iterator[str]:
    """Names of a metric in a document that lack the document's word for it, or for the average."""
    called = {term.name: term.called for term in TERMS}
    for metric, by_document in names.items():
        for document, name in by_document.items():
            parts = name.split(", ")
            for average, part in zip(inputs.AVERAGES, parts * (len(parts) > 1), strict=False):
                if not any(word in part for word in [average, *called[average].get(document, [])]):
                    yield f"{part} is not {average}"
            for word in called.get(metric, {}).get(document, [])[:1]:
                if not name.isascii() and not all(word in part for part in parts):
                    yield f"{name} is not {metric}"


def test_the_records_have_the_words_of_the_documents() -> None:
    names = {record.id: (record.name, dict(record.names)) for record in METRICS}
    assert [fault for metric in names.values() for fault in misnamed(dict([metric]))] == []
    precision, recall = (names[f"label_based.{ratio}"][1] for ratio in ("precision", "recall"))
    assert [*misnamed({"precision": recall})] and [*misnamed({"recall": precision})]
    backwards = ", ".join(precision["formulas"].split(", ")[::-1])
    assert [*misnamed({"precision": {"formulas": backwards}})]


def test_a_word_that_no_document_has_is_marked() -> None:
    marked = {term.name: list(term.field.values()) for term in TERMS if term.field}
    assert marked == {
        "threshold": ["閾值", "阈值", "閾値"],
        "convention": ["慣例", "惯例", "慣例"],
        "batch": ["批次", "批次", "バッチ"],
    }
    assert not any(term.called for term in TERMS if term.field)
    assert "| **batch** | 批次† | 批次† | バッチ† |" in glossary.page()


# --- one word, one meaning


def letters(name: str) -> str:
    """What two spellings of one name share: no hyphen, no space, no plural."""
    return re.sub(r"[\W_]|s\b", "", name.lower())


def test_no_two_terms_are_one() -> None:
    names = Counter(letter for term in TERMS for letter in {letters(n) for n in term.names})
    assert [name for name, times in names.items() if times > 1] == []
    meanings = Counter(letters(term.means) for term in TERMS)
    assert [meaning for meaning, times in meanings.items() if times > 1] == []


def test_a_word_that_stands_for_two_terms_says_who_uses_it_how() -> None:
    """Read in the five documents; the tools by their own names in the records."""
    guide, note = "“sklearn中多标签分类场景下的常见的模型评估指标”", "“untitled note, zh-CN”"
    credit, ranking = "“多標籤分類的評估指標筆記”", "“多标签分类评价指标介绍（一）”"
    found = glossary.ambiguous()
    assert found["准确率"] == {
        "exact match": [guide], "accuracy (Jaccard)": [guide], "label-wise accuracy": [note],
    }  # fmt: skip
    assert found["平均精确率"] == {"precision": [guide], "average precision": [ranking]}
    assert set(found) == {"准确率", "平均精确率", "accuracy", "Hamming score"}
    accuracy = found["accuracy"]
    assert {"scikit-learn", guide} <= set(accuracy["exact match"])
    assert {"Spark MLlib", "MULAN", "MEKA", credit, guide} <= set(accuracy["accuracy (Jaccard)"])
    assert {"torchmetrics", "keras", note} <= set(accuracy["label-wise accuracy"])
    assert found["Hamming score"] == {
        "accuracy (Jaccard)": [guide], "label-wise accuracy": ["MEKA", "xCOLUMNs"],
    }  # fmt: skip


def test_the_metrics_of_the_table_are_in_the_records() -> None:
    known = {metric for tool in conventions.TOOLS.values() for metric in tool.metrics}
    assert {term.metric for term in TERMS if term.metric} <= known


# --- in the notebooks


def test_every_term_is_in_the_notebook_that_teaches_it() -> None:
    assert {term.notebook for term in TERMS} == set(PATHS)
    for term in TERMS:
        named = "|".join(re.escape(re.sub(r" \(.*", "", name)) for name in term.names)
        assert re.search(rf"(?<!\w)(?:{named})(?:s|es)?(?!\w)", body(term.notebook), re.I), term


SPOKEN = {"Write"}  # an order to the reader
SENTENCE = re.compile(r".*[.?:]|(\S+ ){3,}\S+")


def named_by(bold: str) -> set[str]:
    """The terms that a bold word introduces: accuracy is three."""
    users = glossary.ambiguous().get(bold, {})
    spelt = (bold, bold[0].lower() + bold[1:], bold.removesuffix("s"))
    term = next((BY_NAME[name] for name in spelt if name in BY_NAME), None)
    return {term.name} if term else set(users)


@each_notebook
def test_what_a_notebook_introduces_in_bold_is_in_the_glossary(name: str) -> None:
    text = re.sub(r"\$[^$]*\$|`[^`]*`", "", glossary.text_of(PATHS[name]))
    bold = {b for b in re.findall(r"\*\*(.+?)\*\*", text) if not SENTENCE.fullmatch(b)} - SPOKEN
    assert {word for word in bold if not named_by(word)} == set()


@each_notebook
def test_a_term_is_spelt_one_way(name: str) -> None:
    """Neither labelwise nor label wise where the glossary has label-wise."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|\$[^$]*\$|“[^”]*”", "", glossary.text_of(PATHS[name]))
    for written in (n for n in BY_NAME if re.search(r"[ -]", n) and "(" not in n):
        variants = re.sub(r"[ -]", "[ -]?", written)
        for found in re.findall(rf"(?<![\w-]){variants}(?![\w-])", text, re.I):
            assert found.lower() in {n.lower() for n in BY_NAME}, (found, written)
