/** For an address that names no page. */

import { PageTitle } from "../frame.tsx";
import { to } from "../route.ts";

export function MissingPage() {
	return (
		<>
			<PageTitle>There is no such page</PageTitle>
			<p>
				<a href={to()}>Go to the first page</a>
			</p>
		</>
	);
}
