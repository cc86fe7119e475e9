/** The part of @mozilla/readability that is used here and has no types of its own: its parser of well-formed HTML. */

declare module "@mozilla/readability/JSDOMParser.js" {
	export default class JSDOMParser {
		/** @param html well-formed as XML is, and with a value for each attribute */
		parse(html: string): Document;
	}
}
