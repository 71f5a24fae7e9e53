"""The Python package, as its users meet it. `tests/python.rs` runs this."""

import asyncio
import datetime
import gc
import importlib.util
import itertools
import os
import pathlib
import signal
import tempfile
import threading
import unittest

import dialog2api
from dialog2api import aio

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKES_ATTIC = [
    "<goal uid=\"1\" status=\"final\"><program>s3.create_bucket(Bucket='attic-of-mine')</program></goal>",
    "<turn>Agent: The bucket attic-of-mine is there.</turn>",
]
ASKED = "make a bucket attic-of-mine"


def scripted(*answers):
    """A model that says these, whatever it is asked."""
    answers = iter(answers or MAKES_ATTIC)
    return lambda messages: next(answers)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = dialog2api.Sandbox()

    @classmethod
    def tearDownClass(cls):
        cls.sandbox.close()

    def test_a_program_changes_the_world_that_it_is_given(self):
        world = self.sandbox.world("empty")
        before = world.fork()
        ran = self.sandbox.run("s3.create_bucket(Bucket='my-attic')\nprint('hi')\nreturn {'n': 1}", world)
        self.assertEqual((ran.unwrap(), ran.output, ran.ended_by), ({"n": 1}, "hi\n", "program"))
        self.assertEqual([(it.operation, it.error) for it in ran.calls], [("create_bucket", None)])
        self.assertEqual([str(it) for it in before.diff(world)], ["+ my-attic/"])
        self.assertNotEqual(before.signature(), world.signature())
        self.assertIn("+ my-attic/", before.diff(world)._repr_html_())

    def test_a_world_is_called_what_it_was_opened_from(self):
        self.assertEqual(repr(self.sandbox.world_from({"attic": {"n.txt": "1"}})), "<World: from data>")

    def test_data_that_describes_no_world_is_refused(self):
        for data in [{"attic": 3}, {"attic": {"n.txt": 3}}, {"bucket": 3}, []]:
            with self.assertRaises(dialog2api.RequestFailed):
                dialog2api.World.from_json(data, self.sandbox)

    def test_a_name_means_a_fresh_copy(self):
        make = "s3.create_bucket(Bucket='my-attic')"
        one, other = self.sandbox.run(make, "empty"), self.sandbox.run(make, "empty")
        self.assertTrue(one.ok and other.ok)
        self.assertEqual(one.signature, other.signature)

    def test_what_a_program_does_wrong_is_data(self):
        ran = self.sandbox.run("s3.delete_bucket(Bucket='no-such-bucket')", "empty")
        self.assertEqual(ran.error.error, "NoSuchBucket")
        self.assertEqual([it.error for it in ran.calls], ["NoSuchBucket"])
        with self.assertRaises(dialog2api.ProgramFailed) as raised:
            ran.unwrap()
        self.assertEqual(raised.exception.error, "NoSuchBucket")
        self.assertEqual(self.sandbox.check("return (").error, "SyntaxError")
        self.assertIsNone(self.sandbox.check("return 1"))

    def test_limits_end_programs_and_nothing_else(self):
        ran = self.sandbox.run("while True: pass", deadline=0.3)
        self.assertEqual((ran.error.error, ran.ended_by), ("DeadlineExceeded", "limit"))
        ran = self.sandbox.run("for _ in range(9): s3.list_buckets()", "empty", calls=3)
        self.assertEqual(ran.error.error, "CallLimitExceeded")

    def test_the_same_seed_gives_the_same(self):
        draw = "import random\nreturn random.random()"
        draws = [self.sandbox.run(draw, "empty", seed=seed).value for seed in (1, 1, 2)]
        self.assertEqual(draws[0], draws[1])
        self.assertNotEqual(draws[0], draws[2])

    def test_a_world_is_made_of_data(self):
        world = self.sandbox.world_from({"my-bucket": {"a.txt": "text", "b.bin": b"\x00\xff"}})
        read = "return [len(s3.get_object(Bucket='my-bucket', Key=k)['Body'].read()) for k in ('a.txt', 'b.bin')]"
        self.assertEqual(self.sandbox.run(read, world).unwrap(), [4, 2])
        described = {"clock": "2024-05-01T09:00:00Z", "bucket": [{"name": "my-bucket"}]}
        world = self.sandbox.world_from(described)
        when = "import datetime\nreturn datetime.datetime.now(datetime.timezone.utc).year"
        self.assertEqual(self.sandbox.run(when, world).unwrap(), 2024)
        with self.assertRaisesRegex(dialog2api.RequestFailed, "the data"):
            self.sandbox.world_from({"bucket": [{"name": "X"}]})

    def test_a_policy_holds(self):
        policy = "version = 1\nmode = 'read-only'\n"
        ran = self.sandbox.run("s3.create_bucket(Bucket='my-attic')", "empty", policy=policy)
        self.assertEqual(ran.error.error, "AccessDenied")
        with self.assertRaisesRegex(dialog2api.RequestFailed, "the policy"):
            self.sandbox.run("return 1", "empty", policy="version = 9")

    def test_a_request_that_cannot_be_carried_out_says_why(self):
        with self.assertRaises(dialog2api.RequestFailed) as raised:
            dialog2api.Sandbox("no-such-domain").world()
        self.assertEqual((raised.exception.kind, raised.exception.survived), ("usage", True))

    def test_what_is_told_of_a_world_comes_once(self):
        with tempfile.TemporaryDirectory() as folder:
            shelves = [os.path.join(folder, name) for name in ("one", "other")]
            world = self.sandbox.world(shelves[0])
            ran, again = self.sandbox.run("return 1", world), self.sandbox.run("return 2", world)
            self.assertEqual(ran.notes, (f"note: there was no folder {shelves[0]}, so it is made",))
            self.assertEqual((ran.links, again.notes), ((), ()))
            world.close()
            with dialog2api.Conversation(scripted(), shelves[1]) as conversation:
                told = [event.data for event in conversation.say(ASKED) if event.kind == "note"]
                self.assertEqual([it["text"] for it in told], [f"note: there was no folder {shelves[1]}, so it is made"])
                self.assertEqual(conversation.links, [])

    def test_a_domain_is_a_folder(self):
        domain = dialog2api.Domain.from_folder(ROOT / "datasets/tau2-retail")
        with dialog2api.Sandbox(domain) as sandbox:
            world = sandbox.world_from({"orders": {"#W1": {"status": "pending"}}})
            self.assertEqual(world.json()["orders"]["#W1"]["status"], "pending")
        with self.assertRaises(FileNotFoundError):
            dialog2api.Domain.from_folder(ROOT / "src")


class Losses(unittest.TestCase):
    def test_a_program_that_never_ends_takes_only_its_process(self):
        with dialog2api.Sandbox() as sandbox:
            with self.assertRaises(dialog2api.WorkerLost) as raised:
                sandbox.run("while True: pass", "empty", timeout=0.5)
            self.assertFalse(raised.exception.survived)
            self.assertEqual(sandbox.run("return 1", "empty").value, 1)

    def test_a_process_that_is_killed_is_said_and_begun_again(self):
        with dialog2api.Sandbox() as sandbox:
            world = sandbox.world("empty")
            os.kill(world._worker._process.pid, signal.SIGKILL)
            world._worker._process.wait()
            with self.assertRaises(dialog2api.WorkerLost):
                sandbox.run("return 1", world)
            self.assertEqual(sandbox.run("return 1", "empty").value, 1)

    def test_a_program_that_is_not_there_is_said(self):
        with self.assertRaises(OSError):
            dialog2api.Sandbox(binary="/no/such/program").world("empty")
        with self.assertRaisesRegex(dialog2api.WorkerLost, "did not begin"):
            dialog2api.Sandbox(binary="/bin/true").world("empty")


class Conversations(unittest.TestCase):
    def test_a_plan_waits_for_its_answer(self):
        with dialog2api.Conversation(scripted(), "empty") as conversation:
            plans = []
            for event in conversation.say(ASKED):
                if isinstance(event, dialog2api.Plan):
                    plans.append(str(event))
                    self.assertTrue(event._repr_html_().startswith("<pre>The program of goal 1"))
                    event.apply()
                    with self.assertRaises(dialog2api.RequestFailed):
                        event.decline()
            self.assertEqual(len(plans), 1)
            self.assertIn("+ attic-of-mine/", plans[0])
            self.assertIn("An undo can take all of it back", plans[0])
            turn = conversation.last
            self.assertEqual(turn.reply, "The bucket attic-of-mine is there.")
            self.assertEqual([str(it) for it in turn.changes], ["+ attic-of-mine/"])
            undone = conversation.undo(approve=True)
            self.assertEqual((undone["how"], undone["made"]), ("whole", 1))
            self.assertIn("s3.create_bucket", conversation.transcript())

    def test_forms_are_shown(self):
        program = 'UserInfo(user_task="Book Restaurant")'
        model = scripted(program, *["What kind of food would you like?"] * 2)
        folder = ROOT / "datasets/worksheets-restaurant"
        with dialog2api.Sandbox(dialog2api.Domain.from_folder(folder)) as sandbox:
            with dialog2api.Conversation(model, sandbox=sandbox) as conversation:
                self.assertNotIn("user_task: Book Restaurant", conversation.forms())
                conversation.ask("I would like to book a restaurant")
                self.assertIn("user_task: Book Restaurant", conversation.forms())
        with dialog2api.Conversation(scripted(), "empty") as conversation:
            self.assertIsNone(conversation.forms())

    def test_who_says_nothing_has_declined(self):
        with dialog2api.Conversation(scripted(), "empty") as conversation:
            kinds = [event.kind for event in conversation.say(ASKED)]
            self.assertIn("plan", kinds)
            self.assertEqual(conversation.last.changes, [])
            self.assertEqual(conversation.world.json()["buckets"], [])

    def test_who_leaves_the_loop_ends_the_turn(self):
        with dialog2api.Conversation(scripted(), "empty") as conversation:
            for event in conversation.say(ASKED):
                if isinstance(event, dialog2api.Plan):
                    break
            self.assertEqual(conversation.world.json()["buckets"], [])

    def test_a_function_that_fails_fails_the_turn(self):
        def broken(messages):
            raise RuntimeError("out of order")

        with dialog2api.Conversation(broken, "empty") as conversation:
            turn = conversation.ask(ASKED)
            self.assertIn("RuntimeError: out of order", turn.failure)

    def test_a_session_goes_on(self):
        with tempfile.TemporaryDirectory() as folder, dialog2api.Sandbox() as sandbox:
            place = str(pathlib.Path(folder) / "world")
            kept = {"session": "mine", "sessions": folder + "/sessions"}
            world = sandbox.world(place)
            with dialog2api.Conversation(scripted(), world, **kept) as conversation:
                conversation.ask(ASKED, approve=lambda plan: plan.number == 1)
            world.close()
            with dialog2api.Sandbox() as other:
                world = other.world(place)
                with dialog2api.Conversation(scripted(), world, **kept) as conversation:
                    self.assertEqual(conversation.undo(approve=True)["how"], "whole")


class Misuse(unittest.TestCase):
    def test_a_forked_process_gets_a_sandbox_of_its_own(self):
        with dialog2api.Sandbox() as sandbox:
            world = sandbox.world("empty")
            read, write = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    said = str(sandbox.run("return 'child'", "empty").value)
                    try:
                        world.signature()
                    except dialog2api.Dialog2ApiError as error:
                        said += f": {error}"
                    sandbox.close()
                    os.write(write, said.encode())
                finally:
                    os._exit(0)
            os.close(write)
            self.assertEqual(sandbox.run("return 'parent'", world).value, "parent")
            with os.fdopen(read) as told:
                self.assertRegex(told.read(), "^child: this belongs to the process that forked")
            os.waitpid(child, 0)
            self.assertEqual(sandbox.run("return 'still'", world).value, "still")

    def test_only_true_applies(self):
        async def yes(plan):
            return True

        for approve, why in (("no", "approve is"), (1, "approve is"), (lambda _: "no", "returns"), (yes, "aio")):
            with dialog2api.Conversation(scripted(), "empty") as conversation:
                with self.assertRaisesRegex(TypeError, why):
                    conversation.ask(ASKED, approve=approve)
                self.assertEqual(conversation.world.json()["buckets"], [])

    def test_a_second_turn_is_refused_while_one_is_under_way(self):
        with dialog2api.Conversation(scripted(), "empty") as conversation:
            for event in conversation.say(ASKED):
                with self.assertRaisesRegex(dialog2api.RequestFailed, "a turn is under way"):
                    conversation.ask("and another")
            self.assertIsNotNone(conversation.last)
        conversation.close()

    def test_what_is_no_json_is_refused_at_the_call(self):
        with dialog2api.Sandbox() as sandbox:
            with self.assertRaises(ValueError):
                sandbox.run("return '\ud800'", "empty")
            with self.assertRaises(ValueError):
                sandbox.run("return 1", "empty", deadline=float("inf"))
            self.assertEqual(sandbox.run("return 1", "empty").value, 1)

    def test_what_a_model_does_wrong_ends_its_turn(self):
        def leaves(messages):
            raise SystemExit(3)

        cases = (
            (leaves, "SystemExit: 3"), (lambda _: None, "a model returns text, not NoneType"),
            (lambda _: b"text", "not bytes"), (lambda _: "\ud800", "no Unicode text"),
        )
        for model, why in cases:
            with dialog2api.Conversation(model, "empty") as conversation:
                self.assertIn(why, conversation.ask(ASKED).failure)

    def test_an_async_model_needs_aio(self):
        async def model(messages):
            return ""

        with self.assertRaisesRegex(TypeError, "aio"):
            dialog2api.Conversation(model, "empty")
        with self.assertRaisesRegex(TypeError, "aio"):
            dialog2api.evaluate(model)

    def test_a_time_has_a_zone(self):
        with dialog2api.Sandbox() as sandbox, self.assertRaisesRegex(ValueError, "no time zone"):
            sandbox.run("return 1", "empty", now=datetime.datetime(2024, 5, 1))

    def test_worlds_are_spread_over_a_pool(self):
        with dialog2api.Sandbox(pool=2) as sandbox:
            one, other = sandbox.world("empty"), sandbox.world("empty")
            self.assertIsNot(one._worker, other._worker)
            one.close()
            one.close()
            self.assertIs(sandbox.world("empty")._worker, one._worker)

    def test_a_line_that_cannot_be_read_leaves_nobody_waiting(self):
        data = nested = {}
        for _ in range(200):
            nested["a"] = nested = {}
        with dialog2api.Sandbox() as sandbox:
            with self.assertRaises(dialog2api.Dialog2ApiError):
                sandbox._world_from(data).result(10)
            self.assertEqual(sandbox.run("return 1", "empty").value, 1)

    def test_a_sandbox_that_is_dropped_ends_its_process(self):
        sandbox = dialog2api.Sandbox()
        world = sandbox.world("empty")
        worker = world._worker
        del sandbox
        gc.collect()
        self.assertTrue(worker.is_alive)
        del world
        gc.collect()
        worker._reader.join(10)
        self.assertIsNotNone(worker._process.returncode)


class Evaluations(unittest.TestCase):
    def test_the_truth_is_right_and_silence_is_not(self):
        run = dialog2api.evaluate("ground-truth", dataset=ROOT / "datasets/s3", limit=3)
        self.assertEqual(run.emr, 1.0)
        self.assertTrue(all(row["matches"] for row in run.turns))
        self.assertIn("EMR 100.0 %", run._repr_html_())
        if importlib.util.find_spec("pandas"):
            frame = run.frame()
            self.assertEqual(list(frame["matches"]), [True] * len(run.turns))

        def silent(messages):
            return "<turn>Agent: I say nothing.</turn>"

        run = dialog2api.evaluate(silent, dataset=ROOT / "datasets/s3", limit=3, resamples=10)
        self.assertLess(run.emr, 0.2)
        self.assertEqual(run.figures["emr"]["value"], run.emr)

    def test_an_unknown_option_is_refused(self):
        with self.assertRaisesRegex(TypeError, "tempreature"):
            dialog2api.evaluate("ground-truth", tempreature=1)

    def test_dialogues_are_replayed_and_read(self):
        first = sorted((ROOT / "datasets/s3/test").glob("*.xml"))[0]
        (replayed,) = dialog2api.replay(first)
        self.assertTrue(replayed.matches, replayed.differences)
        rows = dialog2api.load_dataset(first)
        self.assertEqual(rows[0]["turn"], 1)

    def test_replies_are_checked(self):
        rows = [{"name": "Nandos", "area": "south", "pricerange": "cheap"}]
        self.assertTrue(dialog2api.claims("Nandos is a cheap place in the south.", rows))
        wrong = dialog2api.claims("Nandos is an expensive place.", rows)
        self.assertEqual([it["slot"] for it in wrong.wrong], ["pricerange"])
        self.assertIn("<td>expensive</td>", wrong._repr_html_())
        self.assertIn("<td>false</td>", wrong._repr_html_())


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_programs_run_at_the_same_time_in_a_pool(self):
        async with aio.Sandbox(pool=2) as sandbox:
            runs = (sandbox.run(f"return {number}", "empty") for number in range(8))
            values = [ran.value for ran in await asyncio.gather(*runs)]
            self.assertEqual(values, list(range(8)))
            world = await sandbox.world("empty")
            before = await world.fork()
            await sandbox.run("s3.create_bucket(Bucket='my-attic')", world)
            self.assertEqual([str(it) for it in await before.diff(world)], ["+ my-attic/"])

    async def test_the_loop_goes_on_while_a_program_runs(self):
        async with aio.Sandbox() as sandbox:
            await sandbox.run("return 1", "empty")
            ticks = itertools.count()
            running = asyncio.create_task(sandbox.run("while True: pass", deadline=0.5))
            while not running.done():
                next(ticks)
                await asyncio.sleep(0.01)
            self.assertGreater(next(ticks), 5)
            self.assertEqual((await running).error.error, "DeadlineExceeded")

    async def test_a_conversation(self):
        async with await aio.Conversation.open(scripted(), "empty") as conversation:
            turn = await conversation.ask(ASKED, approve=True)
            self.assertEqual([str(it) for it in turn.changes], ["+ attic-of-mine/"])

    async def test_an_async_model_and_approval_are_awaited(self):
        says = scripted()

        async def model(messages):
            return says(messages)

        async def approve(plan):
            return self.answer

        for self.answer, changes in ((False, []), (True, ["+ attic-of-mine/"])):
            says = scripted()
            async with await aio.Conversation.open(model, "empty") as conversation:
                turn = await conversation.ask(ASKED, approve=approve)
                self.assertEqual([str(it) for it in turn.changes], changes)

    async def test_a_turn_that_is_cancelled_is_over(self):
        says = scripted()
        go, asked = threading.Event(), threading.Event()

        def model(messages):
            if not asked.is_set():
                asked.set()
                go.wait()
            return says(messages)

        async with await aio.Conversation.open(model, "empty") as conversation:
            turn = asyncio.create_task(conversation.ask(ASKED, approve=True))
            await asyncio.to_thread(asked.wait)
            turn.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await turn
            says = scripted()
            turn = await conversation.ask(ASKED, approve=True)
            self.assertEqual([str(it) for it in turn.changes], ["+ attic-of-mine/"])
            go.set()

    async def test_an_unknown_option_is_refused(self):
        async with aio.Sandbox() as sandbox:
            with self.assertRaisesRegex(TypeError, "nosuch"):
                await sandbox.run("return 1", "empty", nosuch=1)


if __name__ == "__main__":
    unittest.main()
