// Creates the elements of a page.

/** An HTML element with properties and children (text or elements). */
function html(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key.includes("-") || key === "role" || key === "for")
      element.setAttribute(key, value);
    else
      element[key] = value;
  element.append(...children);
  return element;
}
