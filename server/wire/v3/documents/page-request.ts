/** Parses the path and the query of `GET /v3/documents/{id}/pages/{page}`, and describes its answer. */

import { Type } from "@sinclair/typebox";
import { limits } from "../../../../core/model/limits.ts";
import type { PagePicture, WantedPage } from "../../../../core/plugin/contract.ts";
import { reader } from "../../requests/reader.ts";

const pageMax = 1_000_000;

export const pageQuery = Type.Object({
	width: Type.Integer({
		minimum: 100,
		maximum: limits.pageWidthMax,
		default: 1_200,
		description: "The width of the picture in pixels. It is less for a page that is so long that the picture would be too large.",
	}),
});

const read = reader(Type.Object({ page: Type.Integer({ minimum: 1, maximum: pageMax }), ...pageQuery.properties }));

/** @param number as it stands in the path @throws ServiceError `INPUT_INVALID` */
export function parseWantedPage(number: string, query: Readonly<Record<string, unknown>>): WantedPage {
	return read({ ...query, page: /^\d{1,7}$/.test(number) ? Number(number) : number });
}

export const pagePictureSchema = Type.String({ $id: "PagePicture", format: "binary", description: "A JPEG picture." });

/** The headers tell what the picture itself cannot: how many pages there are, and the size of this one in the units of `place.box`. */
export function toPicture({ bytes, mediaType, width, height, pages }: PagePicture): Response {
	return new Response(new Uint8Array(bytes), {
		headers: {
			"content-type": mediaType,
			"cache-control": "private, no-store",
			"content-security-policy": "sandbox; default-src 'none'",
			"x-page-count": String(pages),
			"x-page-width": width.toFixed(2),
			"x-page-height": height.toFixed(2),
		},
	});
}
