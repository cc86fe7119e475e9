/** What a route says about itself in the OpenAPI description, from the very schemas it reads requests with. */

import type { TObject, TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { ErrorCode } from "../../core/errors/catalog.ts";
import { errorExamples } from "./error-examples.ts";

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
	/** Status → the name of a schema under `components`, null for an answer without a body. */
	readonly answers: Readonly<Record<number, string | null>>;
	/** The media type of the answers that are no errors. */
	readonly answerType?: string;
	/** What it may fail with, beside what every operation may. */
	readonly errors: readonly ErrorCode[];
	/** Whether it answers without a key. */
	readonly isOpen?: true;
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

/** An OpenAPI 3.0.3 operation, as `detail` of an Elysia route. */
export function operation({
	summary,
	description,
	tags,
	operationId,
	body,
	isBodyOptional,
	example,
	query,
	form,
	answers,
	answerType = "application/json",
	errors,
	isOpen,
}: OperationWords): DocumentDecoration {
	const content = (name: string, mediaType = "application/json") => ({ [mediaType]: { schema: { $ref: `#/components/schemas/${name}` } } });
	const responses = Object.entries(answers).map(([status, name]) => [
		status,
		{ description: words(status), ...(name === null ? {} : { content: content(name, answerType) }) },
	]);
	const failures = [...errorExamples({ errors, ...(body === undefined ? {} : { body }), ...(isOpen ? { isOpen } : {}) })].map(([status, examples]) => [
		status,
		{ description: words(status), content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } } },
	]);
	// TypeBox schemas stand where the type wants OpenAPI's own; `toOpenApi30` turns them when the description is asked for.
	return {
		summary,
		...(description === undefined ? {} : { description }),
		tags: [...tags],
		operationId,
		...(query === undefined ? {} : { parameters: queryParameters(query) }),
		...(body === undefined
			? {}
			: {
					requestBody: { required: isBodyOptional !== true, content: { "application/json": { schema: body, ...(example === undefined ? {} : { example }) } } },
				}),
		...(form === undefined ? {} : { requestBody: { required: true, content: { "multipart/form-data": { schema: emptyForm(form) } } } }),
		responses: Object.fromEntries([...responses, ...failures]),
		...(isOpen ? { security: [] } : {}),
	} as DocumentDecoration;
}

function words(status: string | number | undefined): string {
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
