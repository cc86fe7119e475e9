/** What an OpenAPI description says of each operation, without its words: fields asked for, statuses, fields answered. */

import { isRecord } from "../../server/wire/requests/is-record.ts";

export interface OperationFacts {
	/** `POST /v3/documents` */
	readonly operation: string;
	readonly query: readonly string[];
	/** Members of the body, at its first level. */
	readonly body: readonly string[];
	readonly statuses: readonly string[];
	/** Paths that every good answer has: `results[].id`. */
	readonly answered: readonly string[];
	/** Paths that a good answer may have besides. */
	readonly optional: readonly string[];
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

export function factsOf(description: unknown): readonly OperationFacts[] {
	const document = record(description);
	return Object.entries(record(document["paths"])).flatMap(([path, item]) =>
		methods.flatMap((method) => {
			const operation = record(item)[method];
			return operation === undefined ? [] : [operationFacts(`${method.toUpperCase()} ${path}`, record(operation), document)];
		}),
	);
}

function operationFacts(operation: string, said: Readonly<Record<string, unknown>>, document: Readonly<Record<string, unknown>>): OperationFacts {
	const resolve = resolver(document);
	const parameters = list(said["parameters"]).map(resolve);
	const responses = record(said["responses"]);
	const good = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
	const answered = names(required(bodyOf(resolve(good)), "", resolve, 0));
	return {
		operation,
		query: names(parameters.filter(({ in: where }) => where === "query").map(({ name }) => String(name))),
		body: names(members(bodyOf(resolve(said["requestBody"])), resolve)),
		statuses: names(Object.keys(responses)),
		answered,
		optional: names(possible(bodyOf(resolve(good)), "", resolve, 0)).filter((name) => !answered.includes(name)),
	};
}

type Resolve = (value: unknown) => Readonly<Record<string, unknown>>;

/** Follows `$ref`s. */
function resolver(document: Readonly<Record<string, unknown>>): Resolve {
	const resolve: Resolve = (value) => {
		const said = record(value);
		const { $ref } = said;
		if (typeof $ref !== "string") return said;
		return resolve(
			$ref
				.split("/")
				.slice(1)
				.reduce<unknown>((at, name) => record(at)[name], document),
		);
	};
	return resolve;
}

function bodyOf(said: Readonly<Record<string, unknown>>): unknown {
	const content = record(said["content"]);
	return record(content["application/json"] ?? content["multipart/form-data"])["schema"];
}

/** Of alternatives, the members of all. */
function members(schema: unknown, resolve: Resolve): readonly string[] {
	const said = resolve(schema);
	return [...Object.keys(record(said["properties"])), ...alternatives(said).flatMap((one) => members(one, resolve))];
}

const depthMax = 6;

/** Of alternatives, nothing: none of them is certain. */
function required(schema: unknown, at: string, resolve: Resolve, depth: number): readonly string[] {
	if (depth > depthMax) return [];
	const said = resolve(schema);
	if (said["type"] === "array") return required(said["items"], `${at}[]`, resolve, depth + 1);
	const properties = record(said["properties"]);
	const parts = list(said["allOf"]).flatMap((part) => required(part, at, resolve, depth + 1));
	const own = list(said["required"])
		.map(String)
		.flatMap((name) => [path(at, name), ...required(properties[name], path(at, name), resolve, depth + 1)]);
	return [...parts, ...own];
}

/** Of alternatives, the members of all. */
function possible(schema: unknown, at: string, resolve: Resolve, depth: number): readonly string[] {
	if (depth > depthMax) return [];
	const said = resolve(schema);
	const items = said["type"] === "array" ? possible(said["items"], `${at}[]`, resolve, depth + 1) : [];
	const parts = alternatives(said).flatMap((part) => possible(part, at, resolve, depth + 1));
	const own = Object.entries(record(said["properties"])).flatMap(([name, member]) => [path(at, name), ...possible(member, path(at, name), resolve, depth + 1)]);
	return [...items, ...parts, ...own];
}

function path(at: string, name: string): string {
	return at === "" ? name : `${at}.${name}`;
}

function alternatives(said: Readonly<Record<string, unknown>>): readonly unknown[] {
	return ["anyOf", "oneOf", "allOf"].flatMap((name) => list(said[name]));
}

function names(all: readonly string[]): readonly string[] {
	return [...new Set(all)].sort();
}

function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function record(value: unknown): Readonly<Record<string, unknown>> {
	return isRecord(value) ? value : {};
}
