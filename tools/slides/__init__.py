"""The notebooks as slides: `decks` chooses what is on a slide, `page` writes it as one file."""
