/** A route: its access rules, its OpenAPI description and its handler. */

import type { TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../../core/errors/catalog.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { Access } from "./access.ts";
import { errorExamples } from "./pages/error-examples.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path, with `:name` for what varies. */
type Place = `${Method} /${string}`;
type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
	? Name | Names<Rest>
	: Path extends `${string}:${infer Name}`
		? Name
		: never;

/** An admitted request. */
export interface Call<Names extends string = string, Caller = ApiKey | null> {
	/** Its body has not been read. */
	readonly request: Request;
	readonly params: Readonly<Record<Names, string>>;
	/** Null where no key is asked for. */
	readonly caller: Caller;
}

/** A response, or a value that is sent as JSON; undefined for an answer without a body. */
export type Answer = Response | object | undefined;

export interface Operation {
	readonly method: Method;
	readonly path: string;
	readonly access: Access;
	/** The status of responses that set none. */
	readonly status: number;
	/** See `describeOperation`; null for a route that is not documented. */
	readonly detail: object | null;
	/** A deprecated path, which is not suggested for an unknown route. */
	readonly isOld?: true;
	readonly answer: (call: Call) => Promise<Answer> | Answer;
}

export interface OperationWords {
	readonly summary: string;
	readonly description?: string;
	readonly tags: readonly [string];
	readonly operationId: string;
	/** The JSON body. */
	readonly body?: TObject;
	/** It may be left out. */
	readonly isBodyOptional?: true;
	/** A body that works when it is sent as it is: what Swagger UI offers to try. */
	readonly example?: Readonly<Record<string, unknown>>;
	/** The same schema as query parameters, for a GET. */
	readonly query?: TObject;
	/** A form with a file in it. */
	readonly form?: TObject;
	/** Responses by status: the name of a schema under `components`, or null for no body. */
	readonly answers: Readonly<Record<number, string | null>>;
	/** The media type of successful responses. */
	readonly answerType?: string;
	/** Error codes, besides those that follow from access rules and body. */
	readonly errors: readonly ErrorCode[];
}

type AnswerOf<P extends Place, A extends Access> = (call: Call<Names<P>, A["auth"] extends "key" ? ApiKey : null>) => Promise<Answer> | Answer;

export function operation<P extends Place, A extends Access>(place: P, words: OperationWords & { readonly access: A }, answer: AnswerOf<P, A>): Operation {
	const { access, answers } = words;
	return { ...hidden(place, access, answer), status: Number(Object.keys(answers)[0] ?? 200), detail: describeOperation(place, words) };
}

/** A route that is not documented. */
export function hidden<P extends Place, A extends Access>(place: P, access: A, answer: AnswerOf<P, A>): Operation {
	const [method, path = ""] = place.split(" ") as [Method, string];
	// Enforcement gives a caller to whom the access promises one, and the router every name of the path.
	return { method, path, access, status: 200, detail: null, answer: answer as Operation["answer"] };
}

const statusWords: Readonly<Record<number, string>> = {
	200: "OK",
	201: "Made",
	202: "Begun",
	204: "Done, with nothing to say",
	400: "The request is not right",
	401: "The key is missing or not known",
	403: "The key may not do this",
	404: "There is no such thing",
	409: "It conflicts with what is there",
	413: "Too large",
	500: "The server failed; the request id finds the lines of its log",
	429: "Too many",
	501: "It cannot be done here",
	503: "Not ready",
};

/** An OpenAPI 3.0.3 operation. */
export function describeOperation(place: Place, words: OperationWords & { readonly access: Access }): object {
	const { summary, description, tags, operationId, body, isBodyOptional, example, query, form, answers, answerType = "application/json", access } = words;
	const content = (name: string, mediaType = "application/json") => ({ [mediaType]: { schema: { $ref: `#/components/schemas/${name}` } } });
	const responses = Object.entries(answers).map(([status, name]) => [
		status,
		{ description: wordsFor(status), ...(name === null ? {} : { content: content(name, answerType) }) },
	]);
	const failures = [...errorExamples(words)].map(([status, examples]) => [
		status,
		{ description: wordsFor(status), content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } } },
	]);
	const parameters = [...pathParameters(place), ...(query === undefined ? [] : queryParameters(query))];
	// TypeBox schemas stand where OpenAPI has its own; `toOpenApi30` turns them when the description is asked for.
	return {
		operationId,
		summary,
		...(description === undefined ? {} : { description }),
		tags: [...tags],
		...(parameters.length === 0 ? {} : { parameters }),
		...(body === undefined
			? {}
			: {
					requestBody: { required: isBodyOptional !== true, content: { "application/json": { schema: body, ...(example === undefined ? {} : { example }) } } },
				}),
		...(form === undefined ? {} : { requestBody: { required: true, content: { "multipart/form-data": { schema: emptyForm(form) } } } }),
		responses: Object.fromEntries([...responses, ...failures]),
		...(access.auth === "key" ? {} : { security: [] }),
		"x-access": access,
	};
}

function pathParameters(place: Place) {
	return [...place.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } }));
}

function wordsFor(status: string | number | undefined): string {
	return statusWords[Number(status)] ?? "An answer";
}

/**
 * Objects travel in a query as JSON. Swagger UI sends every example it is shown, and makes one up for an object: a search
 * by all of them at once would find nothing. So only what has to be sent keeps its example.
 */
function queryParameters({ properties, required = [] }: TObject) {
	return Object.entries(properties).map(([name, schema]) => {
		const isRequired = required.includes(name) && schema["default"] === undefined;
		const { examples: _examples, ...silent } = schema;
		return {
			name,
			in: "query",
			required: isRequired,
			...(schema.description === undefined ? {} : { description: schema.description }),
			...(isPlain(schema) ? { schema: isRequired ? schema : silent } : { content: { "application/json": { schema, ...(isRequired ? {} : { example: "" }) } } }),
		};
	});
}

/** Swagger UI fills the fields of a form with samples and sends them all. With an empty one a field comes empty, which counts as left out. */
function emptyForm({ properties, required = [], ...form }: TObject) {
	const fields = Object.entries(properties).map(([name, schema]) => [name, required.includes(name) ? schema : { ...schema, examples: [""] }]);
	return { ...form, required, properties: Object.fromEntries(fields) };
}

function isPlain(schema: TSchema): boolean {
	return schema["type"] !== "object" && schema["type"] !== undefined;
}
