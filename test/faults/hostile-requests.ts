/** Requests made from the OpenAPI description: each route as it wants them, with something wrong in most. */

import fc from "fast-check";
import { almost, megabyte, nasty, type Schema, toJson } from "./nasty-values.ts";

export interface HostileRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Uint8Array<ArrayBuffer> | null;
	/** Sent in pieces, so without a length. */
	readonly isStreamed: boolean;
}

interface Operation {
	readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
	readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
	readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

export interface Description {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export function hostileRequests({ paths, components }: Description): fc.Arbitrary<HostileRequest> {
	const routes = Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })));
	return fc.oneof(...routes.map(({ method, path, operation }) => toRoute(method.toUpperCase(), path, operation, components.schemas)));
}

function toRoute(
	method: string,
	path: string,
	{ parameters = [], requestBody }: Operation,
	known: Readonly<Record<string, Schema>>,
): fc.Arbitrary<HostileRequest> {
	const json = requestBody?.content["application/json"]?.schema;
	const isForm = requestBody?.content["multipart/form-data"] !== undefined;
	const members = parameters.filter((parameter) => parameter.in === "query").map(({ name, schema }) => [name, almost(schema ?? {}, known)] as const);
	return fc
		.record({
			method: mostly(fc.constant(method), fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PURGE")),
			path: steps(path),
			query: mostly(
				query(members),
				fc.constantFrom("", "?", "?%", "?q=%ff&limit[]=1", "?q[]=a&q[]=b", "?__proto__=x&q=a", "?include.documents=1&include[x]=%", `?q=${"a".repeat(10_001)}`),
			),
			headers: mostly(
				fc.constant({ "content-type": "application/json" }),
				fc.constantFrom<Record<string, string>>(
					{},
					{ "content-type": "text/plain" },
					{ "content-type": "application/x-www-form-urlencoded" },
					{ "content-type": "multipart/form-data; boundary=b" },
					{ "content-type": "application/json; charset=utf-16" },
					{ "content-type": ";;;" },
					{ "content-encoding": "gzip" },
					{ "content-length": "99999999999" },
					{ cookie: "a=b; __proto__=x; %", "x-forwarded-for": "::1" },
					{ authorization: "Bearer" },
					{ authorization: `Bearer ${"k".repeat(5_000)}` },
				),
			),
			body: json === undefined ? fc.constant(null) : body(almost(json, known)),
			form: isForm ? form : fc.constant(null),
			isStreamed: fc.boolean(),
		})
		.map(({ form: made, query: asked, headers, ...rest }) => ({
			...rest,
			path: rest.path + asked,
			body: made?.bytes ?? rest.body,
			headers: made === null ? headers : { "content-type": made.contentType },
		}));
}

function mostly<Value>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
	return fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const names = fc.constantFrom(
	"note-2",
	"nowhere",
	"1111111111111111111111",
	"%",
	"%00",
	"%ff%fe",
	"%2e%2e%2f%2e%2e",
	"a%2fb",
	"%u0041",
	"processing",
	"__proto__",
	"é",
	"a;b=c",
	"x".repeat(3_000),
);

function steps(path: string): fc.Arbitrary<string> {
	const whole = names.map((name) => path.replaceAll(/\{\w+\}/g, () => name));
	return mostly(
		whole,
		fc.oneof(
			whole.map((made) => `${made}/`),
			whole.map((made) => `/${made}`),
			whole.map((made) => made.slice(0, -1)),
			whole.map((made) => made.toUpperCase()),
		),
	);
}

/** Members as text, once or several times. Lone halves of characters cannot stand in an address. */
function query(members: readonly (readonly [string, fc.Arbitrary<unknown>])[]): fc.Arbitrary<string> {
	if (members.length === 0) return fc.constant("");
	const one = fc.nat(members.length - 1).chain((index) => {
		const [name, value] = members[index] ?? ["q", nasty];
		return value.map(
			(made) => `${encodeURIComponent(name)}=${encodeURIComponent((typeof made === "string" ? made : toJson(made)).toWellFormed().slice(0, 12_000))}`,
		);
	});
	return fc.array(one, { maxLength: 5 }).map((pairs) => `?q=ada&${pairs.join("&")}`);
}

function body(value: fc.Arbitrary<unknown>): fc.Arbitrary<HostileRequest["body"]> {
	const text = value.map(toJson);
	const spoilt = fc.oneof(
		text.map((made) => made.slice(0, -1)),
		text.map((made) => `\ufeff${made}`),
		text.map((made) => `${made}${made}`),
		text.map((made) => (made.startsWith("{") && made.length > 2 ? `{${made.slice(1, -1)},${made.slice(1)}` : made)),
		text.map((made) => new Uint8Array(Buffer.from(made, "utf16le"))),
		fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
		fc.constantFrom(
			"",
			" ",
			"null",
			"[]",
			"7",
			'"text"',
			"{",
			"{}",
			"{'q': 'x'}",
			"q=x&limit=1",
			"[".repeat(50_000),
			'{"a":'.repeat(50_000),
			`{"q":"${megabyte}"}`,
			`{"q":"x","filepath":"${megabyte}"}`,
		),
	);
	return mostly(text as fc.Arbitrary<HostileRequest["body"]>, spoilt);
}

interface MadeForm {
	readonly contentType: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

const part = (disposition: string, content: string, type = "") =>
	`--b\r\nContent-Disposition: ${disposition}\r\n${type === "" ? "" : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;
const file = part('form-data; name="file"; filename="a.txt"', "Ada wrote a note.", "text/plain");
const fieldNames = [
	"containerTag",
	"containerTags",
	"containerTags[]",
	"metadata",
	"metadata[a]",
	"metadata[__proto__]",
	"customId",
	"filepath",
	"mimeType",
	"taskType",
	"__proto__",
	"file",
];
const field = fc
	.tuple(fc.constantFrom(...fieldNames), nasty)
	.map(([name, value]) => part(`form-data; name="${name}"`, typeof value === "string" ? value : toJson(value)));
const files = fc.constantFrom(
	file,
	"",
	file + file,
	part('form-data; name="file"', "no file name"),
	part('form-data; name="file"; filename=""', ""),
	part('form-data; name="file"; filename="../../../etc/x"', "Ada", "image/png"),
	part('form-data; name="file"; filename="a\0b%00.pdf"', "%PDF-1.4 broken", "application/pdf"),
	part(`form-data; name="file"; filename="${"n".repeat(3_000)}"`, "", "a/b; c=d; e"),
	part("form-data; name*=UTF-8''file; filename*=UTF-8''%ff%zz.txt", "Ada"),
	part('attachment; filename="x"', "Ada"),
	part('form-data; name="document"; filename="x"', "Ada"),
	file.replace("\r\n\r\n", "\r\n"),
	file.replaceAll("\r\n", "\n"),
	Array.from({ length: 150 }, (_, i) => part(`form-data; name="f${i}"`, "x")).join("") + file,
	part('form-data; name="metadata"', `{"a":"${megabyte}"}`) + file,
);
const form: fc.Arbitrary<MadeForm> = fc
	.record({
		contentType: mostly(
			fc.constant("multipart/form-data; boundary=b"),
			fc.constantFrom(
				"multipart/form-data",
				"multipart/form-data; boundary=",
				"multipart/form-data; boundary=other",
				"multipart/mixed; boundary=b",
				"text/plain",
				`multipart/form-data; boundary=${"b".repeat(300)}`,
			),
		),
		fields: fc.array(field, { maxLength: 4 }),
		files: mostly(fc.constant(file), files),
		end: mostly(fc.constant("--b--\r\n"), fc.constantFrom("", "--b", "--b\r\n", "--b--", "--b--\r\nepilogue")),
		cut: mostly(fc.constant(1), fc.constantFrom(0, 0.3, 0.6, 0.9)),
	})
	.map(({ contentType, fields, files: given, end, cut }) => {
		const whole = Buffer.from(fields.join("") + given + end);
		return { contentType, bytes: new Uint8Array(whole.subarray(0, Math.floor(whole.length * cut))) };
	});
