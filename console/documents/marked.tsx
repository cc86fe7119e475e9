/** A text with the words marked that somebody came for. */

/** Where the words begin and end, in characters. */
export type Words = readonly [number, number];

export function Marked({ text, words: [begin, end] }: { readonly text: string; readonly words: Words }) {
	return (
		<>
			{text.slice(0, begin)}
			<mark>{text.slice(begin, end)}</mark>
			{text.slice(end)}
		</>
	);
}
