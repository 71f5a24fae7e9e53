// The schema of a Parquet file, which stands at its end in Thrift's compact protocol
// (apache/parquet-format: README, parquet.thrift; thrift-compact-protocol.md).

const PHYSICAL = ["boolean", "int32", "int64", "int96", "float", "double", "bytes", "bytes of fixed length"];
const CONVERTED = ["string", "map", "entry of a map", "list", "enum", "decimal", "date", "time (ms)", "time (µs)", "timestamp (ms)", "timestamp (µs)",
  "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "json", "bson", "interval"];
const LOGICAL = { 1: "string", 2: "map", 3: "list", 4: "enum", 5: "decimal", 6: "date", 7: "time", 8: "timestamp", 10: "integer", 11: "null", 12: "json",
  13: "bson", 14: "uuid", 15: "float16", 16: "variant", 17: "geometry", 18: "geography" };
const UNITS = { 1: "ms", 2: "µs", 3: "ns" };
const REPEATED = ["required", "optional", "repeated"];
/** The last bytes of a file: the length of what stands before them, and the mark. */
const END = 8;
const DEEPEST = 32;

/** How many bytes at the end of a file its schema needs; `undefined` if it is no Parquet file. */
export function needed(tail) {
  if (tail.length < END) return undefined;
  const mark = String.fromCharCode(...tail.subarray(-4));
  if (mark === "PARE") throw new Error("The schema of this Parquet file is encrypted.");
  if (mark !== "PAR1") return undefined;
  return new DataView(tail.buffer, tail.byteOffset + tail.length - END).getUint32(0, true) + END;
}

/** The rows, the groups of rows, the writer and the columns: each with its path, type and repetition. */
export function schema(tail) {
  try {
    return read(tail);
  } catch {
    throw new Error("The schema of this Parquet file is damaged.");
  }
}

function read(tail) {
  const about = struct(reader(tail.subarray(tail.length - needed(tail), tail.length - END)), 0);
  const [root, ...elements] = about[2];
  const columns = [];
  const visit = (many, above) => {
    for (let index = 0; index < many; index += 1) {
      const element = elements.shift();
      const path = above ? `${above}.${text(element[4])}` : text(element[4]);
      columns.push({ path, type: type(element), repeated: REPEATED[element[3]] ?? "" });
      if (element[5]) visit(element[5], path);
    }
  };
  visit(root[5], "");
  return { rows: about[3], groups: about[4].length, writer: about[6] ? text(about[6]) : "", columns };
}

function type(element) {
  const [kind, more] = Object.entries(element[10] ?? {})[0] ?? [];
  if (kind === "5" || element[6] === 5) return `decimal(${more?.[2] ?? element[8]}, ${more?.[1] ?? element[7] ?? 0})`;
  if (kind === "7" || kind === "8") return `${LOGICAL[kind]} (${UNITS[Object.keys(more[2])[0]]}${more[1] ? ", UTC" : ""})`;
  if (kind === "10") return `${more[2] ? "int" : "uint"}${more[1]}`;
  if (kind) return LOGICAL[kind] ?? "unknown";
  if (element[6] !== undefined) return CONVERTED[element[6]] ?? "unknown";
  return element[1] === undefined ? "group" : PHYSICAL[element[1]] ?? "unknown";
}

const text = (bytes) => new TextDecoder().decode(bytes);

function reader(bytes) {
  let at = 0;
  const byte = () => {
    if (at >= bytes.length) throw new RangeError("cut off");
    return bytes[at++];
  };
  /** A number of variable length. Those beyond 2^53 are not exact. */
  const number = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const next = byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
    }
  };
  const signed = () => { const value = number(); return value % 2 ? -(value + 1) / 2 : value / 2; };
  const take = (length) => {
    if (length > bytes.length - at) throw new RangeError("cut off");
    return bytes.subarray(at, at += length);
  };
  return { byte, number, signed, take };
}

/** The fields of a struct by their numbers. */
function struct(from, depth) {
  if (depth > DEEPEST) throw new RangeError("too deep");
  const fields = {};
  for (let id = 0; ;) {
    const head = from.byte();
    if (head === 0) return fields;
    id = head >> 4 ? id + (head >> 4) : from.signed();
    fields[id] = (head & 15) < 3 ? (head & 15) === 1 : value(from, head & 15, depth);
  }
}

function value(from, kind, depth) {
  if (kind === 1 || kind === 2) return from.byte() === 1;
  if (kind === 3) return from.byte();
  if (kind < 7) return from.signed();
  if (kind === 7) return from.take(8);
  if (kind === 8) return from.take(from.number());
  if (kind === 9 || kind === 10) {
    const head = from.byte();
    const many = head >> 4 === 15 ? from.number() : head >> 4;
    const all = [];
    for (let index = 0; index < many; index += 1) all.push(value(from, head & 15, depth));
    return all;
  }
  if (kind === 12) return struct(from, depth + 1);
  throw new TypeError("no kind of value");
}
