/** Example error responses of an operation, generated from the error catalog by the function that creates real responses. */

import type { TObject } from "@sinclair/typebox";
import type { ErrorCode } from "../../../core/errors/catalog.ts";
import { ServiceError } from "../../../core/errors/fail.ts";
import { type ErrorBody, errorBody, statusFor } from "../../wire/responses/error.ts";
import type { Access } from "../access.ts";

/** Values for the placeholders of a message, as in a real error. */
const messageValues: Partial<Record<ErrorCode, readonly (string | number)[]>> = {
	ADDRESS_BLOCKED: ["http://10.0.0.7/hook", "it does not lead to a public address"],
	ADDRESS_FAILED: ["https://shop.example.com/", "the name is not known"],
	BACKUP_RUNNING: ["/backups", " (process 4711 of cairn-1, last seen at 2026-11-22T21:00:00.000Z)"],
	BACKUP_TARGET_FAILED: ["s3://backups", "it answered with status 403 (AccessDenied)"],
	BODY_MALFORMED: ["JSON Parse error: Expected '}'"],
	BODY_TOO_LARGE: [16_777_216],
	CONNECTIONS_TOO_MANY: [100],
	CONNECTION_AMBIGUOUS: ["s3", "user_123"],
	CONNECTION_INVALID: ["web-crawler", "startUrl", "it is missing"],
	CONNECTION_WITHOUT_RESOURCES: ["web-crawler"],
	CONNECTOR_MISSING: ["gmail", "s3, web-crawler"],
	CONTAINER_FORBIDDEN: ["has no access to the container user_123"],
	CONTAINER_MERGING: ["user_123"],
	CUSTOM_ID_AMBIGUOUS: ["invoice-17", "user_123, user_456"],
	CUSTOM_ID_TAKEN: ["invoice-17"],
	DOCUMENT_INSIDE: ["jPn8ZVkSvPagc2rDnuMRQL"],
	ENDPOINT_FORBIDDEN: ["/v3/settings", "/v3/documents, /v3/search, /v4/search"],
	FILE_BROKEN: ["cannot find startxref"],
	FILE_TOO_LARGE: [52_428_800],
	FILTER_MALFORMED: ["AND should be a list of conditions"],
	FORM_MALFORMED: ["it ends before its last boundary"],
	IMAGE_TOO_LARGE: [81, 52],
	INPUT_INVALID: ["limit should be at most 1100"],
	MEMORY_NOT_REVIEWABLE: ["it was not inferred"],
	PAGES_NONE: ["a CSV file"],
	PAGE_MISSING: [17, 12],
	PLUGIN_MISSING: ["embedder", "minilm", "static, hashing"],
	PROCESS_TIMEOUT: [20],
	PROCESS_UNAVAILABLE: ["too many files are waiting"],
	PROVIDER_UNKNOWN: ["box", "dropbox, github, gmail, google-drive, granola, notion, onedrive, s3, web-crawler"],
	QUOTA_BYTES: [999_000_000, 52_428_800, 1_000_000_000],
	QUOTA_DOCUMENTS: [10_000, 10_000],
	QUOTA_REQUESTS: [600],
	RATE_LIMITED: [600, 60],
	REDIRECT_FORBIDDEN: ["https://app.example.com/done"],
	ROLE_MISSING: ["admin"],
	ROUTER_UNAVAILABLE: ["https://api.openai.com", "no server responds there"],
	SIGN_INS_TOO_MANY: [100],
	SIGN_IN_PENDING: ["github"],
	SIGN_IN_REFUSED: ["github", "the code has expired"],
	STORAGE_UNREACHABLE: ["the disk cannot be read"],
	STREAMS_TOO_MANY: [10],
	WEBHOOKS_TOO_MANY: [50],
};
/** An example of the response header `X-Request-Id`. */
const requestId = "7tq9XLHHiso_";

export interface ErrorExamplesInput {
	/** The error codes that are specific to the operation. */
	readonly errors: readonly ErrorCode[];
	readonly body?: TObject;
	readonly access: Access;
}

/** Every operation that needs a key can respond with these errors. */
const errorsOfKeys: readonly ErrorCode[] = ["KEY_INVALID", "ENDPOINT_FORBIDDEN", "RATE_LIMITED", "QUOTA_REQUESTS", "KEYS_WRONG", "INTERNAL"];
const errorsOfBodies: readonly ErrorCode[] = ["BODY_MALFORMED", "BODY_TOO_LARGE"];

/** Example bodies by HTTP status and error code. */
export function errorExamples({ errors, body, access }: ErrorExamplesInput): ReadonlyMap<number, Readonly<Record<string, { readonly value: ErrorBody }>>> {
	const accessErrors =
		access.auth === "key" ? [...errorsOfKeys, ...(access.scope === "any" || access.scope === "read" ? [] : (["ROLE_MISSING"] as const))] : [];
	const codes = new Set([...errors, ...(body === undefined ? [] : errorsOfBodies), ...accessErrors]);
	const byStatus = new Map<number, Record<string, { readonly value: ErrorBody }>>();
	for (const code of codes) {
		const error = new ServiceError(code, messageValues[code] ?? []);
		byStatus.set(statusFor(error), { ...byStatus.get(statusFor(error)), [code]: { value: errorBody(error, requestId) } });
	}
	return byStatus;
}
