/** A route: its access rules, its OpenAPI description and its handler. */

import type { TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../../core/errors/catalog.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { Access } from "./access.ts";
import { errorExamples } from "./pages/error-examples.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path, with `:name` for path parameters. */
type RouteId = `${Method} /${string}`;
type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
	? Name | PathParameters<Rest>
	: Path extends `${string}:${infer Name}`
		? Name
		: never;

/** A request that has passed the access checks of its route. */
export interface Call<ParameterNames extends string = string, Caller = ApiKey | null> {
	/** The request; its body has not been read yet. */
	readonly request: Request;
	readonly params: Readonly<Record<ParameterNames, string>>;
	/** Null if the route needs no key. */
	readonly caller: Caller;
}

/** A response, or a value that is sent as JSON; undefined for no body. */
export type RouteResult = Response | object | undefined;

export interface Operation {
	readonly method: Method;
	readonly path: string;
	readonly access: Access;
	/** The status of responses that set none. */
	readonly status: number;
	/** See `describeOperation`; null for a route that is not documented. */
	readonly detail: object | null;
	/** Disables the idle timeout of the connection, because the response waits for another server. */
	readonly hasNoTimeout?: true;
	/** A deprecated path, which is not suggested for an unknown route. */
	readonly isOld?: true;
	readonly handle: (call: Call) => Promise<RouteResult> | RouteResult;
}

export interface OperationDescription {
	readonly summary: string;
	readonly description?: string;
	readonly tags: readonly [string];
	readonly operationId: string;
	/** The JSON body. */
	readonly body?: TObject;
	/** Whether the body may be absent. */
	readonly isBodyOptional?: true;
	/** A working example body, used by Swagger UI. */
	readonly example?: Readonly<Record<string, unknown>>;
	/** The schema of the query parameters. */
	readonly query?: TObject;
	/** The schema of a form with a file. */
	readonly form?: TObject;
	/** Responses by status: the name of a schema under `components`, or null for no body. */
	readonly responses: Readonly<Record<number, string | null>>;
	/** The media type of successful responses. */
	readonly responseType?: string;
	/** Error codes, besides those that follow from access rules and body. */
	readonly errors: readonly ErrorCode[];
}

type Handler<P extends RouteId, A extends Access> = (
	call: Call<PathParameters<P>, A["auth"] extends "key" ? ApiKey : null>,
) => Promise<RouteResult> | RouteResult;

/** Creates the documented routes of one section of the OpenAPI description. */
export function operationsOf(tag: string) {
	return <P extends RouteId, A extends Access>(
		routeId: P,
		description: Omit<OperationDescription, "tags"> & { readonly access: A },
		handler: Handler<P, A>,
	): Operation => ({
		...undocumentedOperation(routeId, description.access, handler),
		status: Number(Object.keys(description.responses)[0] ?? 200),
		detail: describeOperation(routeId, { ...description, tags: [tag] }),
	});
}

/** A route that is not documented. */
export function undocumentedOperation<P extends RouteId, A extends Access>(routeId: P, access: A, handler: Handler<P, A>): Operation {
	const [method, path = ""] = routeId.split(" ") as [Method, string];
	// `enforce` guarantees the caller according to `access`, and the router the path parameters.
	return { method, path, access, status: 200, detail: null, handle: handler as Operation["handle"] };
}

const statusDescriptions: Readonly<Record<number, string>> = {
	200: "OK",
	201: "Created",
	202: "Accepted; processing continues",
	204: "Done, without a body",
	400: "The request is invalid",
	401: "The key is missing or invalid",
	402: "A quota of the organisation is used up",
	403: "The key may not do this",
	404: "Not found",
	409: "It conflicts with the current state",
	413: "Too large",
	500: "Server error; the request id identifies it in the log",
	429: "Too many requests",
	501: "Not supported by this server",
	503: "Not ready",
};

/** Describes a route as an OpenAPI 3.0.3 operation. */
export function describeOperation(routeId: RouteId, operation: OperationDescription & { readonly access: Access }): object {
	const {
		summary,
		description,
		tags,
		operationId,
		body,
		isBodyOptional,
		example,
		query,
		form,
		responses,
		responseType = "application/json",
		access,
	} = operation;
	const content = (name: string, mediaType = "application/json") => ({ [mediaType]: { schema: { $ref: `#/components/schemas/${name}` } } });
	const successes = Object.entries(responses).map(([status, name]) => [
		status,
		{ description: descriptionOf(status), ...(name === null ? {} : { content: content(name, responseType) }) },
	]);
	const failures = [...errorExamples(operation)].map(([status, examples]) => [
		status,
		{ description: descriptionOf(status), content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } } },
	]);
	const parameters = [...pathParameters(routeId), ...(query === undefined ? [] : queryParameters(query))];
	// TypeBox schemas are used here; `toOpenApi30` converts them for the description.
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
		responses: Object.fromEntries([...successes, ...failures]),
		...(access.auth === "key" ? {} : { security: [] }),
		"x-access": access,
	};
}

/** By the name of a parameter, or by the word before it and its name. A test fails where one is missing. */
const pathParameterWords: Readonly<Record<string, string>> = {
	"documents/id": "The id or the customId of the document.",
	"webhooks/id": "The id of the webhook.",
	"organisations/id": "The id of the organisation.",
	"keys/id": "The id of the key, which is not the key itself.",
	"scoped-key/id": "The id of the key, which is not the key itself.",
	"consents/id": "The id of the consent.",
	"backups/id": "The id that the start of the backup was answered with.",
	containerTag: "The tag of the container.",
	page: "The number of the page, from 1.",
	memoryId: "The id of the memory.",
	mergeId: "The id that the merge was answered with.",
	providerOrId: "The id of the connection, or the name of a provider such as `s3`.",
};

function pathParameters(routeId: RouteId) {
	return [...routeId.matchAll(/(\w[\w-]*)\/:(\w+)/g)].map(([, before = "", name = ""]) => ({
		name,
		in: "path",
		required: true,
		description: pathParameterWords[name] ?? pathParameterWords[`${before}/${name}`],
		schema: { type: "string" },
	}));
}

function descriptionOf(status: string | number | undefined): string {
	return statusDescriptions[Number(status)] ?? "Response";
}

/**
 * Objects are sent in a query as JSON. Swagger UI fills in all examples, and makes one up for objects; a search with all of them would
 * find nothing. Therefore only required parameters keep their example.
 */
function queryParameters({ properties, required = [] }: TObject) {
	return Object.entries(properties).map(([name, schema]) => {
		const isRequired = required.includes(name) && schema["default"] === undefined;
		const { examples: _examples, ...withoutExamples } = schema;
		return {
			name,
			in: "query",
			required: isRequired,
			...(schema.description === undefined ? {} : { description: schema.description }),
			...(isPrimitive(schema)
				? { schema: isRequired ? schema : withoutExamples }
				: { content: { "application/json": { schema, ...(isRequired ? {} : { example: "" }) } } }),
		};
	});
}

/** Swagger UI fills all fields of a form with examples and sends them. Optional fields get an empty example, which counts as missing. */
function emptyForm({ properties, required = [], ...form }: TObject) {
	const fields = Object.entries(properties).map(([name, schema]) => [name, required.includes(name) ? schema : { ...schema, examples: [""] }]);
	return { ...form, required, properties: Object.fromEntries(fields) };
}

function isPrimitive(schema: TSchema): boolean {
	return schema["type"] !== "object" && schema["type"] !== undefined;
}
