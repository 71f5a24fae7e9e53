//! How many items the lists of a program can have, as far as its text shows. An API may take
//! only so many in a call, and give only so many in a page.

use super::names::Bound;
use super::values::{Known, Values};
use ruff_python_ast::comparable::ComparableExpr;
use ruff_python_ast::{self as ast, Expr, Number, Operator, UnaryOp};

/// How many more expressions are looked at for one value. It bounds the time that a hostile
/// program can take.
const MOST_STEPS: u32 = 1_000;

/// Builtins whose result has at most as many items as their last argument.
const NOT_LONGER: [&str; 10] = [
    "dict",
    "enumerate",
    "filter",
    "frozenset",
    "iter",
    "list",
    "map",
    "reversed",
    "set",
    "tuple",
];

impl<'a> Values<'a> {
    /// The most items that a list in a value has: in `{"Objects": keys}` those of `keys`. `None`
    /// where it may have any number.
    pub fn longest(&self, value: &'a Expr) -> Option<usize> {
        let mut steps = MOST_STEPS;
        match self.dict(value) {
            Some(dict) => {
                let longest = |item: &'a ast::DictItem| self.items(&item.value, &mut steps);
                let lengths: Option<Vec<usize>> = dict.items.iter().map(longest).collect();
                Some(lengths?.into_iter().max().unwrap_or(0))
            }
            None => self.items(value, &mut steps),
        }
    }

    /// The most items that a value has, where one that is no list is an item itself.
    fn items(&self, value: &'a Expr, steps: &mut u32) -> Option<usize> {
        *steps = steps.checked_sub(1)?;
        match value {
            Expr::List(ast::ExprList { elts, .. })
            | Expr::Tuple(ast::ExprTuple { elts, .. })
            | Expr::Set(ast::ExprSet { elts, .. }) => elts.iter().try_fold(0_usize, |sum, item| {
                let more = match item {
                    Expr::Starred(starred) => self.items(&starred.value, steps)?,
                    _ => 1,
                };
                sum.checked_add(more)
            }),
            Expr::Dict(dict) => dict.items.iter().try_fold(0_usize, |sum, item| {
                let more = match item.key {
                    Some(_) => 1,
                    None => self.items(&item.value, steps)?,
                };
                sum.checked_add(more)
            }),
            Expr::ListComp(ast::ExprListComp { generators, .. })
            | Expr::SetComp(ast::ExprSetComp { generators, .. })
            | Expr::DictComp(ast::ExprDictComp { generators, .. })
            | Expr::Generator(ast::ExprGenerator { generators, .. }) => {
                let mut generators = generators.iter();
                generators.try_fold(1_usize, |product, generator| {
                    product.checked_mul(self.items(&generator.iter, steps)?)
                })
            }
            Expr::Name(name) => self.items_of_name(&name.id, steps),
            Expr::Subscript(part) => match &*part.slice {
                Expr::Slice(slice) => self.items_of_slice(&part.value, slice, steps),
                _ => self.page(&part.value),
            },
            Expr::Call(call) => self.items_of_call(call, steps),
            Expr::BinOp(sum) => {
                let left = self.items(&sum.left, steps)?;
                match sum.op {
                    Operator::Sub | Operator::BitAnd => Some(left),
                    Operator::Add | Operator::BitOr => {
                        left.checked_add(self.items(&sum.right, steps)?)
                    }
                    _ => None,
                }
            }
            Expr::If(either) => {
                let [one, other] = [&either.body, &either.orelse];
                Some(self.items(one, steps)?.max(self.items(other, steps)?))
            }
            Expr::BoolOp(either) => either.values.iter().try_fold(0, |most, value| {
                let length: usize = self.items(value, steps)?;
                Some(length.max(most))
            }),
            Expr::Named(named) => self.items(&named.value, steps),
            Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::FString(_) => Some(1),
            _ => None,
        }
    }

    fn items_of_name(&self, name: &'a str, steps: &mut u32) -> Option<usize> {
        if self.names.grows(name) {
            return None;
        }
        let bound = self.names.bound(name);
        if bound.is_empty() {
            return is_placeholder(name).then_some(1);
        }
        bound.iter().try_fold(0, |most: usize, bound| {
            let length = match *bound {
                Bound::To(value) => self.items(value, steps)?,
                Bound::Each(Expr::Call(call)) => self.batch(call)?,
                _ => return None,
            };
            Some(length.max(most))
        })
    }

    /// `keys[:10]`, `keys[start:start + 1000]`.
    fn items_of_slice(
        &self,
        value: &'a Expr,
        slice: &'a ast::ExprSlice,
        steps: &mut u32,
    ) -> Option<usize> {
        let whole = self.items(value, steps);
        let cut = match (slice.lower.as_deref(), slice.upper.as_deref()) {
            (None, Some(upper)) => self.number(upper),
            (Some(lower), Some(Expr::BinOp(sum))) if sum.op == Operator::Add => {
                let lower = ComparableExpr::from(lower);
                let [left, right] = [&*sum.left, &*sum.right];
                if ComparableExpr::from(left) == lower {
                    self.number(right)
                } else if ComparableExpr::from(right) == lower {
                    self.number(left)
                } else {
                    None
                }
            }
            (Some(_), Some(upper)) => self.number(upper),
            (Some(Expr::UnaryOp(last)), None) if last.op == UnaryOp::USub => {
                self.number(&last.operand)
            }
            (_, None) => None,
        };
        match (whole, cut) {
            (Some(whole), Some(cut)) => Some(whole.min(cut)),
            (whole, cut) => whole.or(cut),
        }
    }

    fn items_of_call(&self, call: &'a ast::ExprCall, steps: &mut u32) -> Option<usize> {
        let arguments = &call.arguments.args;
        match &*call.func {
            Expr::Attribute(method) => match method.attr.as_str() {
                "get" => self.page(&method.value),
                "copy" | "items" | "keys" | "values" => self.items(&method.value, steps),
                "fromkeys" => self.items(arguments.first()?, steps),
                "islice" => self.number(arguments.get(1)?),
                _ => None,
            },
            Expr::Name(function) => match function.id.as_str() {
                "islice" => self.number(arguments.get(1)?),
                "sorted" => self.items(arguments.first()?, steps),
                name if NOT_LONGER.contains(&name) => match arguments.last() {
                    Some(last) => self.items(last, steps),
                    None => Some(0),
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The items of each batch that a call gives: `itertools.batched(keys, 1000)`.
    fn batch(&self, call: &'a ast::ExprCall) -> Option<usize> {
        let name = match &*call.func {
            Expr::Attribute(function) => function.attr.as_str(),
            Expr::Name(function) => function.id.as_str(),
            _ => return None,
        };
        let size = call.arguments.args.get(1).filter(|_| name == "batched")?;
        self.number(size)
    }

    /// The items of a page of a listing, if an expression is one: an element of a paginator, or
    /// the answer of a call.
    fn page(&self, value: &'a Expr) -> Option<usize> {
        let values = match value {
            Expr::Name(name) => self.names.bound(&name.id).to_vec(),
            _ => vec![Bound::To(value)],
        };
        let mut pages = values.iter().map(|bound| match *bound {
            Bound::To(answer) => self.called(answer, false),
            Bound::Each(Expr::Name(pages)) => {
                let bound = self.names.bound(&pages.id).iter();
                let mut made = bound.map(|bound| match *bound {
                    Bound::To(pages) => self.called(pages, true),
                    _ => None,
                });
                made.next().flatten()
            }
            Bound::Each(pages) => self.called(pages, true),
            _ => None,
        });
        let first = pages.next()??;
        pages.try_fold(first, |most, page| Some(page?.max(most)))
    }

    /// How many items the API gives at once to the call that an expression is, of an operation
    /// or of a paginator for one.
    fn called(&self, value: &'a Expr, by_name: bool) -> Option<usize> {
        let Expr::Call(call) = value else { return None };
        let pages = self.domain.api.pages.as_ref()?;
        let mut functions = self.of(&call.func).into_iter();
        functions.find_map(|function| match function {
            Known::CallerMethod(operation, _) if by_name => Some(pages.at_once(operation)?.items),
            Known::Method(_, operation, _) if !by_name => Some(pages.at_once(operation)?.items),
            _ => None,
        })
    }

    /// The number that an expression is, at most. One that the user still has to say is small.
    fn number(&self, expr: &'a Expr) -> Option<usize> {
        match expr {
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(number) => usize::try_from(number.as_u64()?).ok(),
                _ => None,
            },
            Expr::Name(name) => {
                let bound = self.names.bound(&name.id);
                if bound.is_empty() {
                    return is_placeholder(&name.id).then_some(1);
                }
                bound.iter().try_fold(0, |most: usize, bound| match *bound {
                    Bound::To(Expr::NumberLiteral(literal)) => match &literal.value {
                        Number::Int(number) => {
                            let number = usize::try_from(number.as_u64()?).ok()?;
                            Some(number.max(most))
                        }
                        _ => None,
                    },
                    _ => None,
                })
            }
            _ => None,
        }
    }
}

/// Whether a name stands for a placeholder: a value that the user says, and no listing.
fn is_placeholder(name: &str) -> bool {
    let number = name.strip_prefix('_');
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}
