/** A page of the original file as a picture, with its size, so that the box of a chunk finds its place on it. */

import type { Api } from "../api/client.ts";

export interface PageLook {
	/** The picture as a `data:` address. A link to it would need the key, which travels in a header. */
	readonly picture: string;
	/** In the units of `place.box`. */
	readonly width: number;
	readonly height: number;
	/** How many pages there are. */
	readonly pages: number;
}

/** Sharp on a wide screen, and enlarged on a phone. */
const pixels = 1_400;

export async function loadPage(api: Api, id: string, page: number, signal: AbortSignal): Promise<PageLook> {
	const answer = await api.open("GET", `/v3/documents/${encodeURIComponent(id)}/pages/${page}?width=${pixels}`, undefined, signal);
	const told = (name: string) => Number(answer.headers.get(`x-page-${name}`));
	return { picture: await dataAddress(await answer.blob()), width: told("width"), height: told("height"), pages: told("count") };
}

function dataAddress(blob: Blob): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result));
		reader.onerror = () => reject(reader.error);
		reader.readAsDataURL(blob);
	});
}
