/** `POST /v3/documents/file`: uploads a file, which is streamed to disk. */

import { isNotStored } from "../../../core/ingest/receive.ts";
import type { FileContent } from "../../../core/model/content.ts";
import type { Service } from "../../../core/service.ts";
import { originOf } from "../../wire/requests/fields.ts";
import { readForm } from "../../wire/requests/read-form.ts";
import { toReceipt } from "../../wire/v3/documents/add-request.ts";
import { parseUpload, uploadForm } from "../../wire/v3/documents/upload-request.ts";
import { writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Documents");

export function uploadRoutes(service: Service, fileBytesMax: number): readonly Operation[] {
	return [
		operation(
			"POST /v3/documents/file",
			{
				access: writeAccess,
				summary: "Upload a file",
				description: "The format is detected from the content. Responds as soon as the file is durably stored.",
				operationId: "uploadFile",
				form: uploadForm,
				responses: { 200: "Receipt" },
				errors: [
					"FORM_MALFORMED",
					"FILE_MISSING",
					"INPUT_INVALID",
					"CONTAINER_FORBIDDEN",
					"CUSTOM_ID_AMBIGUOUS",
					"CUSTOM_ID_TAKEN",
					"FILE_TOO_LARGE",
					"QUOTA_DOCUMENTS",
					"QUOTA_BYTES",
				],
			},
			async ({ request, caller }) => {
				const { file, fields } = await readForm(
					request,
					fileBytesMax,
					async ({ bytes, fileName, claimedMediaType }): Promise<FileContent> => ({
						kind: "file",
						fileName,
						claimedMediaType,
						...(await service.keep(caller, bytes, fileBytesMax)),
					}),
					({ blob }) => service.drop(caller, blob),
				);
				try {
					const upload = parseUpload(fields, caller, originOf(request.headers));
					const content = { ...file, claimedMediaType: upload.claimedMediaType ?? file.claimedMediaType };
					return toReceipt(await service.add(caller, upload.toRequest(content)));
				} catch (thrown) {
					if (isNotStored(thrown)) await service.drop(caller, file.blob);
					throw thrown;
				}
			},
		),
	];
}
