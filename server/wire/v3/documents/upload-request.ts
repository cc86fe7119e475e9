/** Parses the form of `POST /v3/documents/file`. Fields are strings; lists and objects are JSON, or fields named `name[]` and `name[key]`. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { AddRequest } from "../../../../core/ingest/receive.ts";
import type { Caller } from "../../../../core/model/caller.ts";
import type { FileContent } from "../../../../core/model/content.ts";
import { type MediaType, parseMediaType } from "../../../../core/model/media-type.ts";
import type { Metadata } from "../../../../core/model/metadata.ts";
import { withDefaultContainer } from "../../requests/fields.ts";
import { reader } from "../../requests/reader.ts";
import { describeValue } from "../../requests/validation-message.ts";
import { addBody, addRequest } from "./add-request.ts";

const { content: _content, ...addFields } = addBody.properties;
const fieldsSchema = Type.Object({
	...addFields,
	fileType: Type.Optional(Type.String({ description: "A hint at the format of the file; its bytes decide." })),
	mimeType: Type.Optional(Type.String({ description: "The media type, if the part itself does not name it; the bytes decide." })),
	useAdvancedProcessing: Type.Optional(Type.String({ description: "Accepted and ignored." })),
});

/** The schema of the form for the OpenAPI description; its lists and objects are strings. */
export const uploadForm = Type.Object({
	file: Type.Unsafe<unknown>({ type: "string", format: "binary", description: "The file." }),
	...fieldsSchema.properties,
	containerTags: Type.Optional(Type.String({ description: "One container, or a JSON list of several." })),
	metadata: Type.Optional(Type.String({ description: 'A JSON object, such as {"author": "Ada"}.' })),
	filterByMetadata: Type.Optional(Type.String({ description: "A JSON object." })),
});

const read = reader(fieldsSchema);

export interface UploadFields {
	readonly claimedMediaType: MediaType | null;
	readonly toRequest: (file: FileContent) => AddRequest;
}

/** @throws ServiceError of kind `invalid` */
export function parseUpload(fields: ReadonlyMap<string, readonly string[]>, caller: Caller, origin: Metadata = {}): UploadFields {
	const body = {
		// A browser sends an empty string for each field that was not filled in.
		...Object.fromEntries([...fields].flatMap(([name, values]) => (values.at(-1) === "" ? [] : [[name, values.at(-1)]]))),
		containerTags: listField(fields, "containerTags") ?? listField(fields, "container_tags"),
		metadata: objectField(fields, "metadata"),
		filterByMetadata: objectField(fields, "filterByMetadata"),
	};
	const value = read(withDefaultContainer(body, caller));
	return {
		claimedMediaType: parseMediaType(value.mimeType ?? ""),
		toRequest: (file) => addRequest(file, value, { ...origin, source: "upload", ...(file.fileName === null ? {} : { filename: file.fileName }) }),
	};
}

/** Reads a field that is a JSON list, a single value, or repeated as `name[]`. */
function listField(fields: ReadonlyMap<string, readonly string[]>, name: string): unknown {
	const repeated = fields.get(`${name}[]`);
	if (repeated !== undefined) return repeated;
	const text = fields.get(name)?.at(-1);
	if (text === undefined || text === "") return undefined;
	return text.startsWith("[") ? parseJson(text, name) : text;
}

/** Reads a field that is a JSON object, or several fields named `name[key]`. */
function objectField(fields: ReadonlyMap<string, readonly string[]>, name: string): unknown {
	const text = fields.get(name)?.at(-1);
	if (text !== undefined && text !== "") return parseJson(text, name);
	const members = [...fields].flatMap(([key, values]) =>
		key.startsWith(`${name}[`) && key.endsWith("]") ? [[key.slice(name.length + 1, -1), values.at(-1)] as const] : [],
	);
	return members.length > 0 ? Object.fromEntries(members) : undefined;
}

function parseJson(text: string, name: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw fail("INPUT_INVALID", `${name} should be JSON, not ${describeValue(text)}`);
	}
}
