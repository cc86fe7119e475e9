/** Whether a sentence asks its reader to do something: what a document wishes is no wish of who hands it in. */

const asking =
	/^\W*(?:please|kindly|always|never|make sure|be sure|remember to|don['’]?t|do not|you (?:must|should|have to|need to)|bitte|merci de|veuillez|por favor)\b/i;

export function startsWithOrder(quote: string): boolean {
	return asking.test(quote);
}
