/** `/v3/documents/{id}/pages`: pages of PDFs and pictures, drawn for people who look at a hit. */

import type { Service } from "../../../core/service.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { pageQuery, parseWantedPage, toPicture } from "../../wire/v3/documents/page-request.ts";
import { readAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Documents");

export function pageRoutes(service: Service): readonly Operation[] {
	const routes = [
		operation(
			"GET /v3/documents/:id/pages/:page",
			{
				access: readAccess,
				summary: "Draw a page of the original file",
				description:
					"A page of a PDF, a picture, or a page of a TIFF, as a JPEG. The headers `X-Page-Width` and `X-Page-Height` are the size of the page in the units of `place.box` of chunks and hits, so that a box can be drawn over the picture; `X-Page-Count` is the number of pages.",
				operationId: "drawPage",
				query: pageQuery,
				responses: { 200: "PagePicture" },
				responseType: "image/jpeg",
				errors: [
					"INPUT_INVALID",
					"DOCUMENT_MISSING",
					"CUSTOM_ID_AMBIGUOUS",
					"FILE_NONE",
					"PAGES_NONE",
					"PAGE_MISSING",
					"FILE_BROKEN",
					"FILE_ENCRYPTED",
					"IMAGE_TOO_LARGE",
					"PROCESS_TIMEOUT",
					"PROCESS_UNAVAILABLE",
				],
			},
			async ({ request, params, caller }) => {
				const wanted = parseWantedPage(params.page, bodyFromQuery(new URL(request.url), pageQuery));
				return toPicture(await service.drawPage(caller, params.id, wanted));
			},
		),
	];
	// A page of a large scan may be drawn for longer than a connection may be silent.
	return routes.map((route) => ({ ...route, hasNoTimeout: true }));
}
