/** What this tab has added appears in lists and counts without a wait. */

import { useEffect } from "react";
import { useUploads } from "./upload-list.tsx";
import { isFinished } from "./uploads.ts";

export function useReloadAfterUploads(reload: () => void): void {
	const uploads = useUploads();
	const finished = uploads.filter(isFinished).length;
	const known = uploads.filter(({ documentId }) => documentId !== null).length;
	const mark = `${finished} ${known}`;
	useEffect(() => {
		if (mark !== "0 0") reload();
	}, [mark, reload]);
}
