# Returns escape sequences that clear the screen, set the title and write the clipboard: a terminal gets none of them.
return "\x1b[2J\x1b]0;owned\x07\x1b]52;c;cm0gLXJmIC8=\x07\x1b[31mred"
