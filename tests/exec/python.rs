//! Python as programs see it.

use super::check;
use expect_test::expect;

#[tokio::test]
async fn a_result_is_json() {
    check(
        "return {'a': (1, 2.5, None, True), 'b': 'ä\\n'}",
        expect![[r#"result {"a":[1,2.5,null,true],"b":"ä\n"}"#]],
    )
    .await;
    check("x = 1", expect!["result null"]).await;
    check("", expect!["result null"]).await;
    check("# nothing", expect!["result null"]).await;
    check(
        "return {1: 2, None: 3, 1.5: 4}",
        expect![[r#"result {"1":2,"null":3,"1.5":4}"#]],
    )
    .await;
}

#[tokio::test]
async fn line_ends_of_any_kind_are_pythons() {
    check(
        "x = 1\r\nif x:\r\n    return '''a\r\nb\rc''' + '\\r'",
        expect![[r#"result "a\nb\nc\r""#]],
    )
    .await;
}

#[tokio::test]
async fn a_module_has_a_docstring_or_none() {
    check(
        "\"\"\"What it does.\"\"\"\nfrom __future__ import annotations\nreturn __doc__, __name__",
        expect![[r#"result ["What it does.","__main__"]"#]],
    )
    .await;
    check(
        "x = 1\n'no docstring'\nreturn __doc__",
        expect!["result null"],
    )
    .await;
}

#[tokio::test]
async fn what_is_not_json_is_an_error_of_the_program() {
    check(
        "return {1, 2}",
        expect!["TypeError: Object of type set is not JSON serializable; return sorted(value)"],
    )
    .await;
    check(
        "return float('nan')",
        expect!["ValueError: Out of range float values are not JSON compliant: nan"],
    )
    .await;
    check(
        "x = []\nx.append(x)\nreturn x",
        expect!["ValueError: the result is nested more than 100 levels deep, or contains itself"],
    )
    .await;
    check(
        r#"return "\ud800""#,
        expect!["ValueError: the result has a text with a lone surrogate, which is not JSON"],
    )
    .await;
    check(
        "yield 1",
        expect!["TypeError: Object of type generator is not JSON serializable; return list(value)"],
    )
    .await;
}

#[tokio::test]
async fn an_exception_tells_its_line() {
    let program = "def f(x):\n    return 1 / x\n\n\nreturn f(0)";
    check(
        program,
        expect![[r#"
        ZeroDivisionError: division by zero
        Traceback (most recent call last):
          File "program.py", line 5, in program
            return f(0)
          File "program.py", line 2, in f
            return 1 / x
        ZeroDivisionError: division by zero"#]],
    )
    .await;
    check(
        "raise OutOfScopeRequestError()",
        expect![[r#"
        OutOfScopeRequestError: 
        Traceback (most recent call last):
          File "program.py", line 1, in program
            raise OutOfScopeRequestError()
        OutOfScopeRequestError"#]],
    )
    .await;
    check(
        "import sys\nsys.exit(3)",
        expect![[r#"
        SystemExit: 3
        Traceback (most recent call last):
          File "program.py", line 2, in program
            sys.exit(3)
        SystemExit: 3"#]],
    )
    .await;
}

#[tokio::test]
async fn an_indented_body_keeps_its_strings_and_line_numbers() {
    let program = "\n    x = \"\"\"\n  keep\n    this\n\"\"\"\n    return x\n  ";
    check(program, expect![[r#"result "\n  keep\n    this\n""#]]).await;
    check(
        "    x = 1\n    y = x / 0\n",
        expect![[r#"
        ZeroDivisionError: division by zero
        Traceback (most recent call last):
          File "program.py", line 2, in program
            y = x / 0
        ZeroDivisionError: division by zero"#]],
    )
    .await;
    check("    x = 1\n  y = 2\n", expect!["IndentationError: unindent does not match any outer indentation level (line 2, column 8)"]).await;
}

#[tokio::test]
async fn a_syntax_error_names_line_and_column() {
    check(
        "x = 1\ny = x +* 2",
        expect!["SyntaxError: invalid syntax (line 2, column 8)"],
    )
    .await;
    check(
        "    x = 1\n    y = x +* 2",
        expect!["SyntaxError: invalid syntax (line 2, column 12)"],
    )
    .await;
    check(
        "s3.list_objects(Bucket=?1)",
        expect!["SyntaxError: invalid syntax (line 1, column 24)"],
    )
    .await;
    check("from json import *", expect!["result null"]).await;
}

#[tokio::test]
async fn conversational_exceptions_are_there() {
    let program = "
names = [OutOfScopeRequestError, AmbiguousRequestError, ChitChat, FAQ, OverSpecificationError, EndDialog]
return [n.__name__ for n in names if issubclass(n, Exception)]";
    check(program, expect![[r#"result ["OutOfScopeRequestError","AmbiguousRequestError","ChitChat","FAQ","OverSpecificationError","EndDialog"]"#]]).await;
}

#[tokio::test]
async fn the_pure_standard_library_can_be_imported() {
    let program = "
import json, re, datetime, math, collections, itertools, functools, string, textwrap
import fnmatch, hashlib, base64, csv, io, random, time, operator, statistics
import urllib.parse, posixpath, os.path, dataclasses, enum, typing, decimal, uuid
from collections import Counter, defaultdict
from os import path

@dataclasses.dataclass
class P:
    x: int
    y: typing.Optional[str] = None

class Colour(enum.Enum):
    RED = 1

rows = list(csv.reader(io.StringIO('a,b\\n1,2\\n')))
return [
    P(1).x, Colour.RED.name, path.join('a', 'b'), hashlib.md5(b'x').hexdigest(), rows,
    datetime.datetime.strptime('2024-02-03', '%Y-%m-%d').isoformat(),
    Counter('aab').most_common(1), statistics.mean([1, 2, 4]), json.loads('{\"a\": [1]}'),
    urllib.parse.quote('a b'), textwrap.shorten('a long text', 8), str(decimal.Decimal('0.1') * 3),
    re.sub(r'\\.txt$', '.rtf', 'bat.txt'), base64.b64encode(b'hi').decode(), math.isqrt(17),
]";
    check(program, expect![[r#"result [1,"RED","a/b","9dd4e461268c8034f5c8564e155c67a6",[["a","b"],["1","2"]],"2024-02-03T00:00:00",[["a",2]],2.3333333333333335,{"a":[1]},"a%20b","a [...]","0.3","bat.rtf","aGk=",4]"#]]).await;
}

#[tokio::test]
async fn what_the_box_lacks_says_so() {
    check(
        "import requests",
        expect![[r#"
        ModuleNotFoundError: No module named 'requests': it is not available in the sandbox
        Traceback (most recent call last):
          File "program.py", line 1, in program
            import requests
        ModuleNotFoundError: No module named 'requests': it is not available in the sandbox"#]],
    )
    .await;
    check("import socket", expect!["result null"]).await;
    check("import subprocess", expect!["result null"]).await;
    check(
        "from json import nothing",
        expect![[r#"
        ImportError: cannot import name 'nothing' from 'json' (unknown location)
        Traceback (most recent call last):
          File "program.py", line 1, in program
            from json import nothing
        ImportError: cannot import name 'nothing' from 'json' (unknown location)"#]],
    )
    .await;
    check(
        "open('/etc/passwd')",
        expect![[r#"
            FileNotFoundError: [Errno 2] No such file or directory (programs see no files of the machine, only those that they make): '/etc/passwd'
            Traceback (most recent call last):
              File "program.py", line 1, in program
                open('/etc/passwd')
            FileNotFoundError: [Errno 2] No such file or directory (programs see no files of the machine, only those that they make): '/etc/passwd'"#]],
    )
    .await;
    check("import os\nos.listdir('/')", expect!["result null"]).await;
    check(
        "import os\nreturn [os.getcwd(), dict(os.environ), os.getenv('HOME')]",
        expect![[r#"result ["/",{},null]"#]],
    )
    .await;
    check(
        "input('name? ')",
        expect![[r#"
        EOFError: input is not available in the sandbox
        Traceback (most recent call last):
          File "program.py", line 1, in program
            input('name? ')
        EOFError: input is not available in the sandbox"#]],
    )
    .await;
}

#[tokio::test]
async fn clock_and_chance_are_the_hosts() {
    let program = "
import datetime, random, time, uuid, os
start = time.time()
time.sleep(3600)
return [
    datetime.datetime.now(datetime.timezone.utc).isoformat(), round(time.time() - start, 3),
    random.random(), str(uuid.uuid4()), os.urandom(2).hex(), hash('a') == hash('a'),
    time.tzname,
]";
    check(program, expect![[r#"result ["2024-01-01T01:00:00.000002+00:00",3600.0,0.8444218515250481,"ac4c09c2-8206-47e3-9594-aa6b342f5d0a","4842",true,["UTC","UTC"]]"#]]).await;
    check(program, expect![[r#"result ["2024-01-01T01:00:00.000002+00:00",3600.0,0.8444218515250481,"ac4c09c2-8206-47e3-9594-aa6b342f5d0a","4842",true,["UTC","UTC"]]"#]]).await;
}

#[tokio::test]
async fn what_is_printed_is_kept() {
    check(
        "print('one', 2)\nimport sys\nprint('three', file=sys.stderr)",
        expect![[r#"
        result null
        printed "one 2\nthree\n""#]],
    )
    .await;
}

#[tokio::test]
async fn nothing_of_a_program_is_left_for_the_next() {
    let program =
        "import json, builtins\nbuiltins.len = None\njson.leak = 'secret'\nglobals()['x'] = 1";
    check(program, expect!["result null"]).await;
    check(
        "import json\nreturn [len('ab'), hasattr(json, 'leak'), 'x' in globals()]",
        expect!["result [2,false,false]"],
    )
    .await;
}
