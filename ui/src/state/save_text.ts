/** Saves a text, or what is at an address, as a file of the user. */

/** Lets the browser save what is at an address. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Lets the browser save a text. `type` is its media type. */
export function saveText(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  saveAddress(address, name);
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
