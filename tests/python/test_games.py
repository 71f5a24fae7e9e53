"""Decision games from Python, and the adapters on their page. `tests/python.rs` runs this."""

import asyncio
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest

from dialog2api.errors import RequestFailed, WorkerLost
from dialog2api.games import Game

ROOT = pathlib.Path(__file__).resolve().parents[2]


def adapter(name):
    """The block of the page that begins with this name."""
    page = (ROOT / "src/documentation/games.md").read_text()
    blocks = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    (block,) = [block for block in blocks if block.startswith(f"# {name}\n")]
    return block


def run(code, **modules):
    """The names that a program defines, with these modules in the place of installed ones."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        defined = {}
        exec(compile(code, "games.md", "exec"), defined)
        return defined
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


class Games(unittest.TestCase):
    def test_a_game_is_played_forked_and_begun_again(self):
        with Game("planning") as game:
            seen = game.reset(seed=7)
            self.assertEqual(list(seen), ["user", "agent"])
            self.assertEqual(game.movers, ["user"])
            refused = game.step("user", "[accept]")
            self.assertEqual((refused.code, refused.done), ("nothing-to-answer", False))
            game.step("user", "[message] Hi! I like parks.")
            fork = game.fork()
            done = [
                it.step("agent", "[propose] [Atlas Park, Lincoln Park, The Arboretum]")
                and it.step("user", "[accept]")
                for it in (game, fork)
            ]
            self.assertTrue(all(step.done for step in done))
            self.assertEqual(done[0].norm, done[1].norm)
            again = Game("planning")
            again.reset(state=game.state())
            self.assertEqual(again.step("user", "[accept]").code, "game-over")
            again.close()
            fork.close()

    def test_a_partner_plays_by_itself_and_a_state_brings_it_back(self):
        with Game("planning", partners={"user": "shy"}) as game:
            seen = game.reset(seed=7)
            self.assertIn("User: [message]", seen["agent"])
            step = game.step("agent", "[message] Should the ways be short?")
            self.assertIn("User: [message] minimize travel distance", step.observation["agent"])
            state, copy = game.state(), game.fork()
            asked = "[message] Do you have a budget?"
            told = game.step("agent", asked).observation
            self.assertEqual(copy.step("agent", asked).observation, told)
            copy.close()
            with Game("planning") as other:
                other.reset(state=state)
                self.assertEqual(other.step("agent", asked).observation, told)

    def test_what_is_wrong_says_so_and_a_lost_process_is_our_failure(self):
        with self.assertRaisesRegex(RequestFailed, "there is no game \"chess\""):
            Game("chess").reset(seed=1)
        with self.assertRaisesRegex(RequestFailed, "call reset first"):
            Game("planning").step("user", "[message] hi")
        with self.assertRaises(ValueError):
            Game("planning").reset()
        game = Game("planning")
        game.reset(seed=1)
        game._process._process.kill()
        with self.assertRaisesRegex(WorkerLost, "no sample"):
            game.step("user", "[message] hi")
        game.close()


class Adapters(unittest.TestCase):
    def test_they_are_short(self):
        for name in ("textarena", "verifiers"):
            self.assertLessEqual(len(adapter(name).splitlines()), 40, name)

    def test_textarena_plays_every_seat(self):
        class State:
            def __init__(self, num_players, seed=None):
                self.num_players, self.current_player_id = num_players, 0

            def standard_resets(self, role_mapping):
                self.role_mapping, self.done, self.step_info, self.rewards = role_mapping, False, {}, None
                self.observations = {player: [] for player in range(self.num_players)}

            def add_observation(self, message, observation_type, to_id):
                self.observations[to_id].append((observation_type, message))

            def update_current_player_id(self, player_id):
                self.current_player_id = player_id

            def step(self):
                return self.done, self.step_info

        kinds = types.SimpleNamespace(GAME_MESSAGE="message")
        stub = types.ModuleType("textarena")
        stub.State, stub.Env, stub.ObservationType = State, object, kinds
        env = run(adapter("textarena"), textarena=stub)["DecisionGame"]("planning")
        env.reset(num_players=2, seed=7)
        self.assertTrue(env.state.observations[0][0][1].startswith("Travel Preferences:"))
        done, info = env.step("[accept]")
        self.assertEqual((done, info["code"]), (False, "nothing-to-answer"))
        self.assertEqual(env.state.current_player_id, 0)
        env.step("[message] Hi! I like parks.")
        self.assertEqual(env.state.current_player_id, 1)
        env.step("[propose] [Atlas Park, Lincoln Park, The Arboretum]")
        done, info = env.step("[accept]")
        self.assertTrue(done)
        self.assertEqual(env.state.rewards, {0: info["norm"], 1: info["norm"]})
        with self.assertRaises(ValueError):
            env.reset(num_players=3, seed=7)
        env.game.close()

    def test_two_people_choose_a_restaurant(self):
        definition = {
            "name": "restaurant", "options": ["Luigi", "Saigon", "Zur Post"],
            "attributes": {"food": ["pasta", "noodles"], "price": ["cheap", "dear"]},
        }
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "game.json"), "w", encoding="utf-8") as file:
                json.dump(definition, file)
            with Game("restaurant", folder=folder, partners={"second": "scripted"}) as game:
                game.reset(seed=7)
                told = game.step("first", "[message] What do you wish?")
                self.assertIn("Partner: [message] I wish", told.observation["first"])
                self.assertEqual(game.fork().seats, ["first", "second"])
                for option in definition["options"]:
                    step = game.step("first", f"[propose] {option}")
                    if step.done:
                        break
                self.assertTrue(0 <= step.norm <= 1)

    def test_the_game_of_the_page_is_played(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "game.py"), "w", encoding="utf-8") as file:
                file.write('NAME = "restaurant"\n' + adapter("game.py"))
            with Game("restaurant", folder=folder, partners={"second": "scripted"}) as game:
                seen = game.reset(seed=7)
                self.assertIn("Luigi | food: ", seen["first"])
                self.assertEqual(game.reset(seed=7), seen)
                told = game.step("first", "[message] What about Luigi?")
                self.assertIn("Partner: [message] I wish option Luigi", told.observation["first"])
                step = game.step("first", "[propose] Saigon")
                if not step.done:
                    step = game.step("first", "[propose] Saigon")
                self.assertTrue(0 <= step.norm <= 1)

    def test_verifiers_plays_one_seat(self):
        class MultiTurnEnv:
            def __init__(self, dataset, rubric):
                self.dataset, self.rubric = dataset, rubric

        verifiers, datasets = types.ModuleType("verifiers"), types.ModuleType("datasets")
        verifiers.MultiTurnEnv = MultiTurnEnv
        verifiers.Rubric = lambda funcs: funcs
        datasets.Dataset = types.SimpleNamespace(from_list=list)
        load = run(adapter("verifiers"), verifiers=verifiers, datasets=datasets)["load_environment"]
        env = load(seeds=2)
        (prompt, other) = [row["prompt"][0]["content"] for row in env.dataset]
        self.assertIn("Sites: 39", prompt)
        self.assertNotEqual(prompt, other)

        async def rollout():
            state = await env.setup_state({"info": env.dataset[0]["info"]})
            turns = ["[message] Should the ways be short?", "nonsense"]
            turns += ["[propose] [Atlas Park, Lincoln Park, The Arboretum]"] * 3
            for text in turns:
                said = await env.env_response([{"role": "assistant", "content": text}], state)
                if "final_env_response" in state:
                    break
            return said, state, await env.rubric[0](state)

        said, state, norm = asyncio.run(rollout())
        self.assertEqual(said, state["final_env_response"])
        self.assertIn("User: [accept]", said[0]["content"])
        self.assertTrue(0 < norm <= 1)


if __name__ == "__main__":
    unittest.main()
