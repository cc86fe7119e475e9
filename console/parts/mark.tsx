/** Three stones on each other: the sign of Cairn. */

export function Mark() {
	return (
		<svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
			<ellipse cx="16" cy="25.5" rx="13" ry="5" />
			<ellipse cx="17" cy="16" rx="9" ry="4.2" />
			<ellipse cx="15" cy="8" rx="5.5" ry="3.4" />
		</svg>
	);
}
