// Makes types for TypeScript of a JSON Schema: `node types.js SCHEMA.json > FILE.d.ts`. Only of what our schemas use.
import { readFileSync } from "node:fs";

/** The words of a pattern such as `^[ESWN]$` or `^(a|b)$`; nothing of any other. */
function words(pattern) {
  const [, letters, list] = /^\^(?:\[([A-Za-z]+)\]|\(([\w|]+)\))\$$/.exec(pattern ?? "") ?? [];
  return letters ? [...letters] : list?.split("|");
}

const about = (text) => (text ? `/** ${text.replaceAll("\n", " ")} */ ` : "");
const union = (types) => [...new Set(types)].join(" | ") || "never";
const literal = (value) => JSON.stringify(value);

function fields({ properties = {}, required = [], additionalProperties, ...schema }) {
  const named = Object.entries(properties).map(([name, of]) => `${about(of.description)}${name}${required.includes(name) ? "" : "?"}: ${type(of)}`);
  if (named.length) return `{ ${named.join("; ")} }`;
  const rest = schema.patternProperties ? union(Object.values(schema.patternProperties).map(type)) : additionalProperties && type(additionalProperties);
  return rest ? `Record<string, ${rest}>` : "Record<string, unknown>";
}

function ofType(name, schema) {
  switch (name) {
    case "string": return words(schema.pattern)?.map(literal).join(" | ") ?? "string";
    case "integer": case "number": return "number";
    case "array": return schema.prefixItems ? `[${schema.prefixItems.map(type).join(", ")}]` : `(${type(schema.items ?? true)})[]`;
    case "object": return fields(schema);
    default: return name;
  }
}

/** The type of what a schema accepts. */
function type(schema) {
  if (schema === true || !Object.keys(schema).length) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if ("const" in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const parts = [
    schema.type && union([schema.type].flat().map((name) => ofType(name, schema))),
    schema.oneOf && union(schema.oneOf.map(type)), schema.anyOf && union(schema.anyOf.map(type)),
    ...(schema.allOf ?? []).map(type),
  ].filter((part) => part && part !== "Record<string, unknown>");
  return parts.length > 1 ? parts.map((part) => `(${part})`).join(" & ") : parts[0] ?? "Record<string, unknown>";
}

const schema = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const [name, of] of [[schema.title, schema], ...Object.entries(schema.$defs)]) {
  process.stdout.write(`${about(of.description).trim()}\nexport type ${name} = ${type(of)};\n`);
}
