/** What Swagger UI offers to try: whatever may be left out is left out, so that one press on Execute does what the route is for. */

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { publicAccess } from "../../../server/routes/access.ts";
import { describeOperation } from "../../../server/routes/operation.ts";

const words = { access: publicAccess, summary: "Try", tags: ["Search"], operationId: "try", responses: { 200: null }, errors: [] } as const;

test("of a query only what has to be sent has an example", () => {
	const query = Type.Object({
		q: Type.String({ examples: ["first program"] }),
		tag: Type.Optional(Type.String({ examples: ["user_123"] })),
		filters: Type.Optional(Type.Object({ AND: Type.Array(Type.String()) }, { examples: [{ AND: ["a"] }] })),
	});
	const { parameters } = describeOperation("GET /try", { ...words, query }) as { readonly parameters: readonly { readonly name: string }[] };
	expect(parameters.map(({ name, ...rest }) => [name, JSON.stringify(rest).includes("example"), JSON.stringify(rest).includes('"example":""')])).toEqual([
		["q", true, false],
		["tag", false, false],
		["filters", true, true],
	]);
});

test("of a form only what has to be sent has a sample", () => {
	const form = Type.Object({ file: Type.Unsafe<unknown>({ type: "string", format: "binary" }), title: Type.Optional(Type.String({ examples: ["Letters"] })) });
	expect(describeOperation("POST /try", { ...words, form })).toMatchObject({
		requestBody: {
			content: { "multipart/form-data": { schema: { required: ["file"], properties: { file: { format: "binary" }, title: { examples: [""] } } } } },
		},
	});
});
