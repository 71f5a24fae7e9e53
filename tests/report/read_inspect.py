"""Reads an eval log as users of inspect_ai do, and says what is in it: FILE."""
import os
import sys
import tempfile

from inspect_ai.log import read_eval_log, write_eval_log

log = read_eval_log(sys.argv[1])
print(f"version {log.version}, {log.status}: {log.eval.task!a} on {log.eval.dataset.name}")
print(f"model {log.eval.model!a}, {len(log.samples)} samples, plan {log.plan.steps[0].solver}")
for score in log.results.scores:
    figures = ", ".join(f"{name} {metric.value:.3f}" for name, metric in score.metrics.items())
    # The samples' own scores have the same mean.
    values = [sample.scores[score.name].as_float() for sample in log.samples if sample.scores]
    mean = sum(values) / len(values)
    if score.name != "turn_match":  # a share of all turns, not a mean over dialogues
        assert abs(mean - score.metrics["mean"].value) < 1e-9, (score.name, mean)
    print(f"{score.name}: {figures}; of {len(values)} samples")
for sample in log.samples[:3] + [sample for sample in log.samples if sample.error]:
    users = [message.text for message in sample.messages if message.role == "user"]
    assert users == [message.text for message in sample.input]
    assert len(sample.messages) == 2 * len(users) and len(sample.target) == len(users)
    assert sample.output.completion == sample.messages[-1].text or sample.messages[-1].text.endswith(sample.output.completion)
    said = sample.error.message if sample.error else sample.scores["emr"].explanation
    tokens = sum(usage.total_tokens for usage in sample.model_usage.values())
    print(f"{sample.id}, {len(users)} turns, {tokens} tokens: {said!a}")
# inspect's own format takes it as well.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "log.eval")
    write_eval_log(log, path)
    assert len(read_eval_log(path).samples) == len(log.samples)
