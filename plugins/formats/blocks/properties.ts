/** The document properties of Office files, old and new. */

export interface Properties {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
}

/** Default titles that programs set. */
export const emptyTitles =
	/^(?:(?:microsoft )?(?:word|excel|powerpoint)(?: document| presentation| - .*)|powerpoint-pr.sentation|pr.sentation powerpoint|untitled|document ?\d*|presentation ?\d*|slide 1)$/i;
