/** The description: valid OpenAPI 3.0.3 by a public validator, the same at both addresses, and true of what is answered. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { FormatRegistry, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Ajv } from "ajv";
import { paginationSchema } from "../../server/wire/requests/paging.ts";
import { explanationSchema, scorePartsSchema } from "../../server/wire/responses/explanation.ts";
import { browsedSchema, facetsSchema } from "../../server/wire/v3/documents/browse-schemas.ts";
import {
	documentListSchema,
	documentResultsSchema,
	documentSchema,
	errorSchema,
	listedDocumentSchema,
	placeSchema,
	processingSchema,
	receiptSchema,
} from "../../server/wire/v3/schemas.ts";
import { memoryListSchema, memoryResultsSchema } from "../../server/wire/v4/schemas.ts";
import { startTestServer, type TestClient, type TestServer, withRouter } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer(withRouter);
	client = await server.client();
});
afterAll(() => server.dispose());

interface Description {
	readonly openapi: string;
	readonly paths: Readonly<
		Record<
			string,
			Readonly<Record<string, { readonly operationId: string; readonly responses: Readonly<Record<string, unknown>>; readonly security?: readonly unknown[] }>>
		>
	>;
}
const describeAt = async (path: string) => (await (await client.send("GET", path)).json()) as Description;

test("is valid by a public validator", async () => {
	const result = await new Validator().validate(structuredClone((await describeAt("/openapi.json")) as unknown as Record<string, unknown>));
	expect(result.errors ?? []).toEqual([]);
	expect(result.valid).toBe(true);
});

test("describes every tag that a route has", async () => {
	const { tags, paths } = (await (await client.send("GET", "/openapi.json")).json()) as {
		tags: readonly { name: string; description: string }[];
		paths: Readonly<Record<string, Readonly<Record<string, { tags: readonly string[] }>>>>;
	};
	const used = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags)));
	expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
});

test("is the same wherever clients look for it, needs no key, and names every route once", async () => {
	const description = await describeAt("/openapi.json");
	for (const path of ["/swagger/json", "/v3/openapi", "/v4/openapi"]) expect(await describeAt(path)).toEqual(description);
	expect((await client.send("GET", "/openapi.json", undefined, { headers: { authorization: "" } })).status).toBe(200);
	const operations = Object.entries(description.paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, { operationId }]) => ({ route: `${method.toUpperCase()} ${path}`, operationId })),
	);
	expect(operations.map(({ route }) => route).sort()).toEqual([
		"DELETE /v3/auth/consents/{id}",
		"DELETE /v3/auth/keys/{id}",
		"DELETE /v3/auth/scoped-key/{id}",
		"DELETE /v3/connections/{providerOrId}",
		"DELETE /v3/container-tags/{containerTag}",
		"DELETE /v3/documents/bulk",
		"DELETE /v3/documents/{id}",
		"DELETE /v3/organisations/{id}",
		"DELETE /v3/webhooks/{id}",
		"DELETE /v4/memories",
		"GET /",
		"GET /health",
		"GET /metrics",
		"GET /ready",
		"GET /v1/models",
		"GET /v3/audit",
		"GET /v3/auth/consents",
		"GET /v3/auth/keys",
		"GET /v3/backups",
		"GET /v3/backups/{id}",
		"GET /v3/connections/{providerOrId}",
		"GET /v3/connections/{providerOrId}/resources",
		"GET /v3/connections/{providerOrId}/sync-runs",
		"GET /v3/container-tags/list",
		"GET /v3/container-tags/merge/{mergeId}",
		"GET /v3/container-tags/{containerTag}",
		"GET /v3/container-tags/{containerTag}/inferred",
		"GET /v3/documents",
		"GET /v3/documents/processing",
		"GET /v3/documents/{id}",
		"GET /v3/documents/{id}/chunks",
		"GET /v3/documents/{id}/file-url",
		"GET /v3/documents/{id}/pages/{page}",
		"GET /v3/events",
		"GET /v3/organisations",
		"GET /v3/search",
		"GET /v3/server",
		"GET /v3/session",
		"GET /v3/settings",
		"GET /v3/usage",
		"GET /v3/webhooks",
		"GET /v3/webhooks/{id}",
		"GET /v3/webhooks/{id}/deliveries",
		"GET /v4/graph",
		"GET /v4/memories/review",
		"GET /v4/search",
		"PATCH /v3/container-tags/{containerTag}",
		"PATCH /v3/documents/{id}",
		"PATCH /v3/settings",
		"PATCH /v3/webhooks/{id}",
		"PATCH /v4/memories",
		"POST /mcp",
		"POST /v1/chat/completions",
		"POST /v3/auth/agent-key",
		"POST /v3/auth/scoped-key",
		"POST /v3/backups",
		"POST /v3/connections/list",
		"POST /v3/connections/{providerOrId}",
		"POST /v3/connections/{providerOrId}/configure",
		"POST /v3/connections/{providerOrId}/connection",
		"POST /v3/connections/{providerOrId}/documents",
		"POST /v3/connections/{providerOrId}/import",
		"POST /v3/container-tags/merge",
		"POST /v3/container-tags/{containerTag}/inferred/{memoryId}/review",
		"POST /v3/documents",
		"POST /v3/documents/batch",
		"POST /v3/documents/documents",
		"POST /v3/documents/documents/by-ids",
		"POST /v3/documents/documents/facets",
		"POST /v3/documents/file",
		"POST /v3/documents/list",
		"POST /v3/documents/restore",
		"POST /v3/documents/{id}/reprocess",
		"POST /v3/organisations",
		"POST /v3/search",
		"POST /v3/settings/reset",
		"POST /v3/settings/suggest-buckets",
		"POST /v3/webhooks",
		"POST /v3/webhooks/{id}/rotate",
		"POST /v3/webhooks/{id}/test",
		"POST /v4/conversations",
		"POST /v4/memories",
		"POST /v4/memories/confirm",
		"POST /v4/memories/forget-matching",
		"POST /v4/memories/list",
		"POST /v4/memories/restore",
		"POST /v4/profile",
		"POST /v4/profile/buckets",
		"POST /v4/search",
		"POST /v4/sources/rollback",
		"PUT /v3/auth/keys/{id}/toggle",
		"PUT /v3/organisations/{id}/quotas",
		"PUT /v3/server/embedder",
	]);
	expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

interface Described {
	readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
	readonly requestBody?: { readonly content: { readonly "application/json"?: { readonly schema: Fields } } };
	readonly responses: Readonly<Record<string, { readonly content?: { readonly "application/json"?: JsonContent } }>>;
}
interface Fields {
	readonly description?: string;
	readonly $ref?: string;
	readonly properties?: Readonly<Record<string, Fields>>;
	readonly items?: Fields;
	readonly anyOf?: readonly Fields[];
}

/** The fields of a body that nothing explains. */
function unexplained({ properties = {}, items, anyOf = [] }: Fields = {}, where: string): readonly string[] {
	const isBare = ({ description, $ref, anyOf: choices = [] }: Fields) => description === undefined && $ref === undefined && choices.every(isBare);
	return [
		...Object.entries(properties).flatMap(([name, field]) => [...(isBare(field) ? [`${where} ${name}`] : []), ...unexplained(field, `${where} ${name}`)]),
		...[...(items === undefined ? [] : [items]), ...anyOf].flatMap((inner) => unexplained(inner, where)),
	];
}

interface JsonContent {
	readonly schema: { readonly $ref: string };
	readonly example?: unknown;
	readonly examples?: object;
}

test("describes every parameter, says what filters look like, and has an example of every answer, which fits its schema", async () => {
	const description = await describeAt("/openapi.json");
	const ajv = new Ajv({ strict: false, validateFormats: false });
	// The validator knows JSON Schema, where null is a type of its own; no example is null where there could be a value.
	ajv.addSchema(JSON.parse(JSON.stringify(description, (name, value) => (name === "nullable" ? undefined : value))), "description");
	let examples = 0;
	for (const [path, item] of Object.entries(description.paths))
		for (const [method, operation] of Object.entries(item)) {
			const { parameters = [], requestBody, responses } = operation as unknown as Described;
			expect(unexplained(requestBody?.content["application/json"]?.schema, `${method} ${path}`)).toEqual([]);
			expect(
				parameters.filter((one) => one.description === undefined),
				`${method} ${path}`,
			).toEqual([]);
			for (const [status, { content }] of Object.entries(responses)) {
				const json = content?.["application/json"];
				if (json === undefined || json.examples !== undefined) continue;
				examples++;
				const check = ajv.compile({ $ref: `description${json.schema.$ref}` });
				expect(check(json.example) ? [] : check.errors, `${method} ${path} ${status}`).toEqual([]);
			}
		}
	expect(examples).toBeGreaterThan(60);
	const { components } = description as unknown as { readonly components: { readonly schemas: Readonly<Record<string, object>> } };
	expect(Object.keys(components.schemas)).toContain("FilterCondition");
});

test("names the members of a conversation's messages as the peer does", async () => {
	const { paths } = await describeAt("/v4/openapi");
	const { requestBody } = (paths["/v4/conversations"]?.["post"] ?? {}) as unknown as Described;
	const body = requestBody?.content["application/json"]?.schema as unknown as {
		readonly properties: { readonly messages: { readonly items: { readonly properties: Readonly<Record<string, unknown>> } } };
	};
	expect(Object.keys(body.properties.messages.items.properties)).toEqual(["role", "content", "name", "tool_calls", "tool_call_id"]);
});

test("says of every operation what it answers, errors included", async () => {
	const { paths } = await describeAt("/openapi.json");
	for (const [path, item] of Object.entries(paths)) {
		for (const [method, { responses, security }] of Object.entries(item)) {
			const isOpen = security?.length === 0;
			expect(Object.hasOwn(responses, "401"), `${method} ${path}`).toBe(!isOpen);
		}
	}
});

test("is true: what is answered fits the schema that stands there", async () => {
	const add = (await (await client.send("POST", "/v3/documents", { content: "Otto lives in Ulm and works as a baker.", containerTag: "otto" })).json()) as {
		readonly id: string;
	};
	fits(receiptSchema, add);
	fits(processingSchema, await (await client.send("GET", "/v3/documents/processing")).json());
	fits(documentSchema, await client.finished(add.id));
	fits(documentResultsSchema, await (await client.send("POST", "/v3/search", { q: "baker", includeSummary: true, includeFullDocs: true })).json());
	fits(
		memoryResultsSchema,
		await (
			await client.send("POST", "/v4/search", {
				q: "Otto baker",
				threshold: 0,
				searchMode: "hybrid",
				include: { documents: true, summaries: true, relatedMemories: true, chunks: true },
			})
		).json(),
	);
	for (const body of [
		{ q: "Otto baker", explain: true, rerank: true },
		{ q: "*", explain: true, filters: { OR: [{ key: "a", value: "b" }] } },
	])
		fits(documentResultsSchema, await (await client.send("POST", "/v3/search", body)).json());
	fits(memoryResultsSchema, await (await client.send("POST", "/v4/search", { q: "Otto", explain: true, threshold: 0 })).json());
	fits(documentListSchema, await (await client.send("GET", "/v3/documents?limit=1")).json());
	fits(memoryListSchema, await (await client.send("POST", "/v4/memories/list", { containerTags: "otto", limit: 1 })).json());
	fits(browsedSchema, await (await client.send("POST", "/v3/documents/documents", { includeContent: true })).json());
	fits(browsedSchema, await (await client.send("POST", "/v3/documents/documents/by-ids", { ids: [add.id] })).json());
	fits(facetsSchema, await (await client.send("POST", "/v3/documents/documents/facets")).json());
	fits(errorSchema, await (await client.send("GET", "/v3/documents/nowhere")).json());
	const failing = (await (await client.send("POST", "/v3/documents", { content: "http://127.0.0.1:1/" })).json()) as { readonly id: string };
	fits(documentSchema, await client.finished(failing.id));
});

FormatRegistry.Set("date-time", (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text));

function fits(schema: TSchema, answer: unknown): void {
	const complaints = [...Value.Errors(schema, [listedDocumentSchema, placeSchema, paginationSchema, scorePartsSchema, explanationSchema], answer)].map(
		({ path, message }) => `${path}: ${message}`,
	);
	expect(complaints, JSON.stringify(answer).slice(0, 500)).toEqual([]);
}
