/** What Office files of all ages say about themselves. */

export interface Properties {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
}

/** Default names that programs give. */
export const emptyTitles =
	/^(?:(?:microsoft )?(?:word|excel|powerpoint)(?: document| presentation| - .*)|powerpoint-pr.sentation|pr.sentation powerpoint|untitled|document ?\d*|presentation ?\d*|slide 1)$/i;
